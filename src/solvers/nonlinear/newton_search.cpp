#include "solvers/nonlinear/newton_solve.hpp"

#include <algorithm>
#include <cmath>

/// How far an iteration goes along its direction, and what follows (newton_solve.hpp has the symbols).
namespace rubato {

namespace {

constexpr double longest_wolfe_step = 4; // in units of the Newton step
constexpr double round_off = 1e-10; // predicted decrease relative to E below which a failed search means convergence
constexpr double fast = 0.25; // of the last step: where Newton's method converges as it should
constexpr int most_balancing = 20; // further iterations, once steps are short enough, for balance

} // namespace

NewtonSolve::Reason NewtonSolve::search()
{
    measure_cap();
    if (options_.line_search == LineSearch::none) return {};
    it_.slope = it_.g.dot(it_.p);
    found_ = it_.slope < 0 ? search_along_p() : LineSearchAlong::Result{};
    if (found_.a > 0 || !turns_.arrived()) return {};
    if (pace_->partial()) return StopReason::line_search_failed;

    if (it_.last && it_.slope < 0) return StopReason::converged_step;
    if (std::abs(it_.slope) <= round_off * std::abs(it_.f)) return StopReason::converged_roundoff;
    if (!it_.certain || !options_.safeguards) return StopReason::line_search_failed;
    it_.p = -w_.Minv_g; // last resort: straight downhill
    script_.set_zero(it_.p);
    it_.slope = it_.g.dot(it_.p);
    measure_cap();
    found_ = search_along_p();
    if (found_.a == 0) return StopReason::line_search_failed;
    return {};
}

void NewtonSolve::measure_cap()
{
    // Strong Wolfe steps may go beyond the Newton step, so the filter looks further ahead for them.
    const double reach = options_.line_search == LineSearch::wolfe ? longest_wolfe_step : 1;
    w_.lift = reach * it_.p;
    follow_retraction(E_, it_.y, w_.lift, w_.y_new);
    const double limit = E_.max_step(it_.y, w_.lift);
    it_.cap = reach * (limit > 1 ? 1 : filter_margin * limit);
}

LineSearchAlong::Result NewtonSolve::search_along_p()
{
    const Vector &y = it_.y, &p = it_.p;
    if (options_.line_search == LineSearch::wolfe) {
        return w_.search.wolfe(E_, y, p, it_.f, it_.slope, it_.cap, w_.y_new);
    }
    const LineSearchAlong::Result full = w_.search.backtracking(E_, y, p, it_.f, it_.slope, it_.cap, w_.y_new);
    // Projection hides how soft E is: full steps that hardly get shorter could be longer where bodies touch, and a step
    // that is short enough to be the last may be so for this reason alone.
    const bool creeping
        = it_.longest > 0.5 * pace_->before && it_.longest <= near * tol_ && !w_.contacts.pairs().empty();
    const bool may_be_short = (creeping || it_.last) && full.a == 1 && !full.by_slope && pace_->projection.projects();
    return may_be_short ? w_.search.farther(E_, y, p, it_.f, it_.slope, full, w_.y_new) : full;
}

NewtonSolve::Reason NewtonSolve::advance()
{
    if (options_.line_search == LineSearch::none) return advance_unsearched();
    if (!turns_.arrived()) return advance_free_nodes();

    Pace& pace = *pace_;
    it_.y.swap(w_.y_new);
    it_.last = it_.last && found_.lowest * it_.longest <= pace.enough * tol_;
    pace.close = it_.last && options_.balanced;
    const bool slow = found_.a < 1 || it_.longest > fast * pace.before; // otherwise Newton's method needs no help
    const bool exhausted = pace.at_round_off_after(found_, it_.f, it_.slope, it_.longest, tol_);
    pace.travelled += found_.a * it_.longest;
    if (it_.last && !options_.balanced) return StopReason::converged_step;
    if (pace.partial()) {
        if (exhausted) return StopReason::converged_roundoff;
        if (!w_.local.goes_on()) return StopReason::iteration_limit;
        return {};
    }
    if (it_.last && ++balancing_ > most_balancing) return StopReason::converged_step;
    if (exhausted) return StopReason::converged_roundoff;
    if (!it_.last && slow) begin_part(it_.p, tol_);
    return {};
}

/// A step that makes room for scripts, or fails to.
NewtonSolve::Reason NewtonSolve::advance_free_nodes()
{
    if (found_.a > 0) {
        it_.y.swap(w_.y_new);
        pace_->at_round_off_after(found_, it_.f, it_.slope, it_.longest, tol_);
    }
    turns_.free_nodes_moved(it_.last || found_.a == 0, found_.a >= 1);
    return {};
}

NewtonSolve::Reason NewtonSolve::advance_unsearched()
{
    it_.y += std::min(1.0, it_.cap) * it_.p;
    E_.retract(it_.y);
    if (!turns_.arrived()) {
        turns_.free_nodes_moved(it_.last, it_.cap >= 1);
        return {};
    }
    pace_->close = it_.last;
    if (it_.last && !options_.balanced) return StopReason::converged_step;
    return {};
}

} // namespace rubato
