#include "solvers/nonlinear/newton.hpp"

namespace rubato {

namespace {

constexpr double lift = 0.01; // tangled cubes take fewest iterations with it: 1 creeps near the solution, 0 far from it

} // namespace

const std::vector<OptionSpec>& newton_option_specs()
{
    const NewtonOptions d;
    static const std::vector<OptionSpec> specs{
        {.name = "tolerance",
            .type = OptionType::real,
            .fallback = d.velocity_tolerance,
            .unit = "m/s",
            .summary = "Stop when the largest nodal Newton step is below this times the time step.",
            .least = 0},
        {.name = "gradient_tolerance",
            .type = OptionType::real,
            .fallback = d.gradient_tolerance,
            .unit = "m/s^2",
            .summary
            = "Stop when the largest nodal out-of-balance acceleration is below this; 0 switches the test off.",
            .least = 0},
        {.name = "max_iterations",
            .type = OptionType::integer,
            .fallback = d.max_iterations,
            .summary = "Newton iterations per solve before the solve counts as failed.",
            .least = 1},
        {.name = "line_search",
            .type = OptionType::choice,
            .fallback = std::string("backtracking"),
            .summary = "backtracking (sufficient decrease), wolfe (strong Wolfe conditions) or none.",
            .choices = {"backtracking", "wolfe", "none"}},
        {.name = "hessian",
            .type = OptionType::choice,
            .fallback = std::string("projected"),
            .summary
            = "projected: each element's Hessian is made positive semidefinite; lifted: with a little stiffness "
              "instead of none where it was negative, for tangled meshes; exact: as it is.",
            .choices = {"projected", "lifted", "exact"}},
        {.name = "safeguards",
            .type = OptionType::flag,
            .fallback = d.safeguards,
            .summary = "Descent test, length clamp and fallback directions."},
        {.name = "initial_guess",
            .type = OptionType::choice,
            .fallback = std::string("best"),
            .summary
            = "best: the lowest of inertial, rigid, explicit and current positions; current: where the step starts.",
            .choices = {"best", "current"}},
        {.name = "local_solves",
            .type = OptionType::flag,
            .fallback = d.local_solves,
            .summary = "When few nodes still move, iterate on those and their neighbours before all nodes again."},
        {.name = "max_step_length",
            .type = OptionType::real,
            .fallback = d.max_step_length,
            .unit = "m",
            .summary = "Longest Newton step (norm over all unknowns).",
            .least = 0,
            .least_open = true},
        {.name = "linear",
            .type = OptionType::choice,
            .fallback = std::string("automatic"),
            .summary
            = "conjugate-gradients (as exactly as a step needs), cholesky (CHOLMOD), or automatic: the one that is "
              "expected to be faster; cholesky for exact Hessians without safeguards, which may be indefinite.",
            .choices = {"automatic", "conjugate-gradients", "cholesky"}},
        {.name = "preconditioner",
            .type = OptionType::choice,
            .fallback = std::string("multigrid"),
            .summary = "Of conjugate gradients: multigrid (on lattices over the bodies) or block-jacobi (the 3x3 "
                       "blocks of the diagonal).",
            .choices = {"multigrid", "block-jacobi"}},
        {.name = "cg_scale",
            .type = OptionType::real,
            .fallback = d.linear.cg_scale,
            .summary = "Scale of the tolerance of conjugate gradients; smaller solves more exactly.",
            .least = 0,
            .least_open = true},
        {.name = "cg_max_iterations",
            .type = OptionType::integer,
            .fallback = d.linear.cg_max_iterations,
            .summary = "Conjugate-gradient iterations per linear solve; 0: ten times the number of unknowns.",
            .least = 0},
    };
    return specs;
}

NewtonOptions newton_options(const Options& options)
{
    NewtonOptions n;
    n.velocity_tolerance = options.real("tolerance");
    n.gradient_tolerance = options.real("gradient_tolerance");
    n.max_iterations = options.integer("max_iterations");
    const std::string& search = options.text("line_search");
    n.line_search = search == "none" ? LineSearch::none
        : search == "wolfe"          ? LineSearch::wolfe
                                     : LineSearch::backtracking;
    n.projected = options.text("hessian") != "exact";
    n.lift = options.text("hessian") == "lifted" ? lift : 0;
    n.safeguards = options.flag("safeguards");
    n.better_guess = options.text("initial_guess") == "best";
    n.local_solves = options.flag("local_solves");
    n.max_step_length = options.real("max_step_length");
    const std::string& linear = options.text("linear");
    const bool may_be_indefinite = !n.projected && !n.safeguards;
    n.linear.method = linear == "cholesky" || (linear == "automatic" && may_be_indefinite) ? LinearMethod::cholesky
        : linear == "automatic"                                                            ? LinearMethod::automatic
                                : LinearMethod::conjugate_gradients;
    n.linear.multigrid = options.text("preconditioner") == "multigrid";
    n.linear.cg_scale = options.real("cg_scale");
    n.linear.cg_max_iterations = options.integer("cg_max_iterations");
    return n;
}

} // namespace rubato
