#pragma once

#include <limits>
#include <string_view>

namespace rubato {

/// Why a stage solve stopped. The first group is success.
enum class StopReason {
    converged_step, ///< the largest nodal Newton step fell below the tolerance
    converged_gradient, ///< the gradient fell below the tolerance
    converged_roundoff, ///< no further decrease is visible in double precision
    no_solve, ///< the method needs no implicit solve
    enough, ///< as far as the solver was to go, which need not be near a minimum
    iteration_limit,
    line_search_failed, ///< no decrease along a descent direction
    linear_solver_failed, ///< the linear system could not be solved
    not_finite, ///< value or gradient became infinite or NaN
    infeasible_start, ///< the start is outside the domain of a potential
    unreachable_script, ///< prescribed unknowns cannot reach their place
    unbalanced, ///< no equilibrium: forces are left over that nothing holds
};

std::string_view text(StopReason reason); ///< one clause for a person
bool succeeded(StopReason reason);

/// What a stage solve did.
struct SolveReport {
    StopReason reason = StopReason::no_solve;
    int iterations = 0; ///< Newton iterations
    int local_iterations = 0; ///< further ones, on a part of the nodes
    int linear_iterations = 0; ///< conjugate-gradient iterations over all nodes; factorisations count 0
    double residual = 0; ///< largest nodal Newton step of the last iteration [m]

    bool ok() const { return succeeded(reason); }
    /// Adds the work of a further solve of the same step; the first failure stays.
    void merge(const SolveReport& later);
};

/// How an attempted step ended, apart from the solve.
enum class StepStatus {
    ok,
    solve_failed, ///< see StepOutcome::solve.reason
    inadmissible, ///< the end point, or the way to it, leaves the domain of a potential
    not_finite, ///< the end state holds an infinity or NaN
};

/// Energy that dissipations take during a step, grad D . dx in the quadrature of the method [J], by what moves along
/// dx.
struct Dissipated {
    double free = 0; ///< the free unknowns: less than nothing where scripts drive them by friction
    double driven = 0; ///< the prescribed ones: what scripts put in against dissipations

    Dissipated() = default;
    Dissipated(double of_free, double of_prescribed = 0)
        : free(of_free)
        , driven(of_prescribed)
    {
    }
    double total() const { return free + driven; } ///< what becomes heat

    friend Dissipated operator+(const Dissipated& a, const Dissipated& b)
    {
        return {a.free + b.free, a.driven + b.driven};
    }
    friend Dissipated operator*(double s, const Dissipated& a) { return {s * a.free, s * a.driven}; }
};

/// What an integrator says about the step it proposes.
struct StepOutcome {
    StepStatus status = StepStatus::ok;
    SolveReport solve;
    Dissipated dissipated = {}; ///< in this step
    double alpha = std::numeric_limits<double>::quiet_NaN(); ///< correction taken by energy-controlling methods
};

} // namespace rubato
