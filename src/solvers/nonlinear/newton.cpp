#include "solvers/nonlinear/newton.hpp"

#include "solvers/linear/automatic.hpp"
#include "solvers/linear/choice.hpp"
#include "solvers/nonlinear/newton_work.hpp"
#include "solvers/nonlinear/pace.hpp"

#include <algorithm>
#include <cmath>

/// Newton's method on an incremental potential (004 sec. 3.1).
///
///     y   current iterate [m]             g, H   gradient [kg m] and Hessian [kg] of E at y
///     p   search direction [m]            slope  g . p, negative for descent [kg m^2]
///     h   step length [s]                 tol    velocity_tolerance * h [m]
///
/// Each iteration: H p = -g; make p a descent direction; filter the step (no inversion); search along p; stop when the
/// largest nodal |p| is below tol (that last step is still taken, so the answer is one quadratic order better) and, if
/// a balanced answer is asked for, the largest nodal out-of-balance acceleration times h below velocity_tolerance. In
/// between, iterations over those nodes that still move (LocalPhase): the same loop, with E restricted to them.
namespace rubato {

namespace {

constexpr double descent_cosine = 1e-2; // kappa of 004 sec. 3.1
constexpr double longest_wolfe_step = 4; // in units of the Newton step
constexpr double balanced_enough = 1e-3; // relative error of solves for steps that are to balance forces
constexpr double round_off = 1e-10; // predicted decrease relative to E below which a failed search means convergence
constexpr double quick = 0.25; // of the last step: where Newton's method converges as it should
constexpr double settled = 0.1; // of the tolerance: where iterations on a part of the nodes end
constexpr double still = 2e-15; // Newton step relative to the positions that is round-off in them
constexpr double good_progress = 0.1; // of the way left: a script that gets that far need not wait for the free nodes
constexpr int most_balancing = 20; // further iterations, once steps are short enough, for balance

} // namespace

Newton::Newton(NewtonOptions options)
    : options_(options)
    , work_(std::make_unique<Work>())
{
    // Parts are small and held by the rest: conjugate gradients are fast there, and tell where curvature is negative.
    LinearSolverOptions of_parts = options_.linear;
    of_parts.method = LinearMethod::conjugate_gradients;
    work_->part = RegionSolver(make_linear_solver(of_parts, false));
}

Newton::Newton(Newton&&) noexcept = default;
Newton::~Newton() = default;

/// What is made once for a system.
void Newton::know(System& system)
{
    Work& w = *work_;
    if (w.system == &system) return;
    const bool plain = !options_.projected && !options_.safeguards;
    w.root = BlockMatrix(system.pattern());
    LinearSolverOptions linear = options_.linear;
    if (linear.method == LinearMethod::automatic) linear.method = cheaper_method(system, w.root, linear, linear.step);
    const bool may_change = options_.linear.method == LinearMethod::automatic && linear.multigrid
        && linear.method == LinearMethod::conjugate_gradients && system.X.size() > 0;
    if (may_change)
        w.linear = std::make_unique<AutomaticSolver>(linear.cg_max_iterations, system.X, w.root);
    else
        w.linear = make_linear_solver(linear, plain, system.X);
    w.H = w.root;
    w.contacts = w.more = BlockPattern(w.root.rows());
    w.rigid = RigidGuess(system, w.root.root());
    w.system = &system;
}

/// Sees to it that H has room for what touches at y. What touched before in the same solve keeps its place: every new
/// pattern costs a symbolic analysis. What touched in earlier solves does not, as long as it is another set: an answer
/// must not depend, not even in its last bits, on how one came to the start.
void Newton::make_room(IncrementalPotential& E, const Vector& y, bool first)
{
    Work& w = *work_;
    w.more.clear();
    E.pattern_at(y, w.more);
    if (first) {
        w.more.sort();
        if (w.contacts.pairs() == w.more.pairs()) return;
        w.contacts.clear();
    } else if (w.H.covers(w.more)) {
        return;
    }
    for (const auto& [i, j] : w.more.pairs()) w.contacts.add(i, j);
    w.contacts.sort();
    w.H = w.contacts.pairs().empty() ? w.root : BlockMatrix::extended(w.root, w.contacts);
}

/// p = -H^-1 g, solved to the inexact tolerance first. If the step looks short enough to be the last, the solve goes
/// on to the precision that such a claim needs.
LinearStatus Newton::newton_step(IncrementalPotential& E, const Region* region, double h, SolveReport& report)
{
    Work& w = *work_;
    const Prescription& script = E.system().prescription;
    // Inexact solves: far from the solution a rough direction is as good (004: min(1/2, sigma sqrt(max(|grad E|,
    // tau)))). |grad E| is measured as the velocity |M^-1 g|/h against 1 m/s, which makes it a plain number. That
    // number grows as nodes get lighter, and alone would keep the solves rough on a fine mesh up to the end.
    const double speed = std::max(largest_nodal_norm(w.Minv_g) / h, options_.velocity_tolerance);
    const double tolerance = std::min(w.forcing, options_.linear.cg_scale * std::sqrt(speed));
    w.rhs = -w.g;
    const PhaseClock clock(E.times().linear);
    const Precision precision{tolerance, exact_enough, doubtful * options_.velocity_tolerance * h};
    if (region != nullptr) return w.part.solve(*region, w.H, script, w.rhs, precision, w.p).status;
    const LinearReport whole = w.linear->solve(w.H, script, w.rhs, precision, w.p);
    report.linear_iterations += whole.iterations;
    return whole.status;
}

/// A search direction: the Newton step with the safeguards of 004 sec. 3.1; false if there is none at all. `certain`
/// tells whether p is a Newton step whose length measures the distance to the solution.
bool Newton::direction(IncrementalPotential& E, const Region* region, const Vector& y, double h,
    ProjectionPolicy& projection, bool& certain, SolveReport& report)
{
    Work& w = *work_;
    const Prescription& script = E.system().prescription;
    E.system().mass.solve(w.g, w.Minv_g);

    const auto curvature
        = [&] { return region != nullptr ? w.part.negative_curvature() : w.linear->negative_curvature(); };
    LinearStatus status = newton_step(E, region, h, report);
    while (projection.changed_after(status, curvature())) {
        E.project_again(y, w.H, projection.wanted_before(), projection.wanted(), options_.lift);
        status = newton_step(E, region, h, report);
    }
    certain = status == LinearStatus::solved;
    if (!options_.safeguards) return status != LinearStatus::failed;

    const double slope = w.g.dot(w.p);
    const bool definite = certain || status == LinearStatus::inexact;
    const double enough = definite ? 0 : descent_cosine * w.g.norm() * w.p.norm();
    const bool downhill = status != LinearStatus::failed && slope < -enough;
    const bool uphill = status != LinearStatus::failed && slope > enough;
    if (!downhill) {
        certain = false;
        if (uphill) {
            w.p = -w.p;
        } else {
            if (region != nullptr) return false;
            w.p = -w.Minv_g; // steepest descent in the metric of the mass
            script.set_zero(w.p);
        }
    }
    const double length = w.p.norm();
    if (length > options_.max_step_length) w.p *= options_.max_step_length / length;
    return true;
}

namespace {

/// That have mass and follow no script.
Index free_nodes(const System& system)
{
    Index count = 0;
    for (Index i = 0; i < system.mass.nodes(); ++i) {
        const bool held = system.prescription.holds(3 * Eigen::Index{i})
            && system.prescription.holds(3 * Eigen::Index{i} + 1) && system.prescription.holds(3 * Eigen::Index{i} + 2);
        count += system.mass.nodal()[i] > 0 && !held ? 1 : 0;
    }
    return count;
}

} // namespace

SolveReport Newton::minimise(IncrementalPotential& E, const Vector& start, double h, Vector& y)
{
    Work& w = *work_;
    SolveReport report;
    const double tol = options_.velocity_tolerance * h;

    know(E.system());
    w.linear->begin();
    E.prepare(start, largest_nodal_norm(w.p = E.x_tilde() - start));
    bool arrived = take_best_guess(E, start, tol, y);
    bool yielding = false; // the script waits while the free nodes give way
    bool at_rest = false; // they have given way as far as they will, where the script is now
    int on_the_way = 0; // iterations until it was in its place
    bool close = false; // the last step was short enough; is y balanced?
    bool was_close = false; // before the iterations on a part of the nodes
    bool tried_a_part = false; // to balance the nodes that were not
    int balancing = 0;
    Pace whole{.projection = {options_.projected, options_.safeguards}};
    Pace part = whole;
    const bool careful = options_.safeguards && options_.line_search != LineSearch::none;
    LocalPhase& local = w.local;
    local.allow(options_.local_solves && careful, E.system().mass.nodes(), free_nodes(E.system()));
    double travelled = 0; // in these iterations, at most [m]
    const auto begin_local = [&](const Vector& v, double longest) {
        was_close = close;
        close = false;
        if (!local.begin(v, longest, w.H)) return;
        E.restrict_to(&local.region());
        part = Pace{.projection = {options_.projected, options_.safeguards}};
        part.projection.after_step(report.residual <= near * tol, false);
        travelled = 0;
    };
    const auto end_local = [&] {
        if (!local.active()) return;
        local.end();
        E.restrict_to(nullptr);
        whole.projection.forget(local.region().nodes()); // what was projected here would now lead away again
        close = was_close && travelled <= tol;
    };
    const auto after_free_nodes = [&](bool rest, bool full_step) {
        at_rest = rest;
        yielding = !rest && !full_step;
    };
    const auto stopped = [&](StopReason reason) {
        end_local();
        report.reason = reason;
        return report;
    };
    for (;;) {
        make_room(E, y, report.iterations == 0);
        Pace& pace = local.active() ? part : whole;
        const double f = E.all(y, w.g, w.H, pace.projection.wanted(), options_.lift);
        if (!std::isfinite(f)) {
            return stopped(report.iterations == 0 ? StopReason::infeasible_start : StopReason::not_finite);
        }
        if (!w.g.allFinite()) return stopped(StopReason::not_finite);
        if (arrived && options_.gradient_tolerance > 0 && !local.active()) {
            E.system().mass.solve(w.g, w.Minv_g);
            if (largest_nodal_norm(w.Minv_g) <= options_.gradient_tolerance * E.scale()) {
                return stopped(StopReason::converged_gradient);
            }
        }
        if (close) {
            E.system().mass.solve(w.g, w.Minv_g);
            const double acceleration = options_.velocity_tolerance / h * E.scale();
            const bool balanced = largest_nodal_norm(w.Minv_g) <= (local.active() ? settled : 1) * acceleration;
            if (local.active() && balanced) {
                end_local();
                continue;
            }
            if (!local.active()) {
                if (balanced) return stopped(StopReason::converged_step);
                if (!tried_a_part) begin_local(w.Minv_g, acceleration);
                tried_a_part = local.active();
                if (local.active()) continue;
            }
            close = false;
        }
        if (local.active()) {
            ++report.local_iterations;
        } else {
            if (report.iterations == options_.max_iterations + (arrived ? on_the_way : 0)) {
                return stopped(arrived ? StopReason::iteration_limit : StopReason::unreachable_script);
            }
            ++report.iterations;
            tried_a_part = false;
        }

        if (!arrived && !yielding) {
            const double gone = carry_script(E, y, report);
            if (gone == 0 && at_rest) return stopped(StopReason::unreachable_script);
            arrived = gone == 1;
            if (arrived) whole.flat_steps = whole.stalled_steps = 0; // those on the way say nothing about the minimum
            on_the_way = report.iterations;
            yielding = gone < good_progress;
            at_rest = false;
            continue;
        }

        bool certain = false;
        w.forcing = balancing > 0 ? balanced_enough : pace.forcing;
        const Region* const region = local.active() ? &local.region() : nullptr;
        if (!direction(E, region, y, h, pace.projection, certain, report)) {
            if (!local.active()) return stopped(StopReason::linear_solver_failed);
            end_local();
            continue;
        }
        const double longest = largest_nodal_norm(w.p);
        if (!std::isfinite(longest)) return stopped(StopReason::not_finite);
        if (!local.active()) report.residual = longest;
        const double short_enough = local.active() ? settled * tol : tol;
        bool last = certain && longest <= short_enough;
        const bool still_here = longest <= still * y.lpNorm<Eigen::Infinity>();
        if (still_here && !arrived) {
            after_free_nodes(true, false);
            continue;
        }
        if (still_here) {
            if (!local.active()) return stopped(last ? StopReason::converged_step : StopReason::converged_roundoff);
            end_local();
            continue;
        }

        // Strong Wolfe steps may go beyond the Newton step, so the filter looks further ahead for them.
        const double reach = options_.line_search == LineSearch::wolfe ? longest_wolfe_step : 1;
        const auto cap_along_p = [&] {
            w.lift = reach * w.p;
            const double limit = E.max_step(y, w.lift);
            return reach * (limit > 1 ? 1 : filter_margin * limit);
        };
        double cap = cap_along_p();
        if (options_.line_search == LineSearch::none) {
            y += std::min(1.0, cap) * w.p;
            if (!arrived) {
                after_free_nodes(last, cap >= 1);
                continue;
            }
            close = last;
            if (last && !options_.balanced) return stopped(StopReason::converged_step);
            continue;
        }

        double slope = w.g.dot(w.p);
        const auto search = [&] {
            if (options_.line_search == LineSearch::wolfe) return w.search.wolfe(E, y, w.p, f, slope, cap, w.y_new);
            const LineSearchAlong::Result full = w.search.backtracking(E, y, w.p, f, slope, cap, w.y_new);
            // Projection hides how soft E is: full steps that hardly get shorter could be longer where bodies touch,
            // and a step that is short enough to be the last may be so for this reason alone.
            const bool creeping = longest > 0.5 * pace.before && longest <= near * tol && !w.contacts.pairs().empty();
            const bool may_be_short = (creeping || last) && full.a == 1 && !full.by_slope && pace.projection.projects();
            return may_be_short ? w.search.farther(E, y, w.p, f, slope, full, w.y_new) : full;
        };
        LineSearchAlong::Result found = slope < 0 ? search() : LineSearchAlong::Result{};
        if (!arrived) {
            if (found.a > 0) {
                y.swap(w.y_new);
                pace.at_round_off_after(found, f, slope, longest, tol);
            }
            after_free_nodes(last || found.a == 0, found.a >= 1);
            continue;
        }
        if (found.a == 0 && local.active()) {
            end_local();
            continue;
        }
        if (found.a == 0) {
            if (last && slope < 0) return stopped(StopReason::converged_step);
            if (std::abs(slope) <= round_off * std::abs(f)) return stopped(StopReason::converged_roundoff);
            if (!certain || !options_.safeguards) return stopped(StopReason::line_search_failed);
            w.p = -w.Minv_g; // last resort: straight downhill
            E.system().prescription.set_zero(w.p);
            slope = w.g.dot(w.p);
            cap = cap_along_p();
            found = search();
            if (found.a == 0) return stopped(StopReason::line_search_failed);
        }
        y.swap(w.y_new);
        last = last && found.lowest * longest <= short_enough;
        close = last && options_.balanced;
        if (local.active()) {
            const bool exhausted = pace.at_round_off_after(found, f, slope, longest, tol);
            travelled += found.a * longest;
            if ((last && !close) || exhausted || !local.goes_on()) end_local();
            continue;
        }
        if (last && (!options_.balanced || ++balancing > most_balancing)) return stopped(StopReason::converged_step);
        const bool slow
            = found.a < 1 || longest > quick * pace.before; // on smooth ground Newton's method needs no help
        if (pace.at_round_off_after(found, f, slope, longest, tol)) return stopped(StopReason::converged_roundoff);
        if (!last && slow) begin_local(w.p, tol);
    }
}

} // namespace rubato
