#include "integrators/bdf2.hpp"

#include "integrators/end_point.hpp"

namespace rubato {

/// With w = h/h_old, tau = h (1 + w)/(1 + 2w), and for z = x and z = v alike
///
///     z_bar = ((1 + w)^2 z - w^2 z_old)/(1 + 2w)
///     x' = x_bar + tau v'
///     v' = v_bar + tau a(t + h, x', v')
///
/// Second order, L-stable at constant step (1/3, 4/3 and 2/3 for w = 1); loses little energy at low frequencies and
/// much at high ones. Zero-stable while w < 1 + sqrt 2. The first step, and any step that grows by more than that, is
/// implicit Euler (w = 0 in the formulas): one such step costs an error of O(h^2) and the order stays two.
///
/// Dissipated: h/2 (grad D(v) . v + grad D(v') . v'), second order. A step of implicit Euler books as that method does,
/// h grad D(v') . v': of first order, in one step. What v was before it the damping may not have felt, and
/// h/2 grad D(v) . v would be without bound as the damping grows; after it v is a velocity that was damped.
StepOutcome Bdf2::step(const StepRequest& r, State& next)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h;
    old_.propose(h);

    const bool restarts = old_.h() == 0 || h >= most_growth() * old_.h();
    const double w = restarts ? 0 : h / old_.h();
    const double tau = h * (1 + w) / (1 + 2 * w);
    if (restarts) {
        stage_.x_anchor = x;
        v_bar_ = v;
    } else {
        const double p = (1 + w) * (1 + w) / (1 + 2 * w), q = w * w / (1 + 2 * w);
        stage_.x_anchor = p * x - q * old_.start().x;
        v_bar_ = p * v - q * old_.start().v;
    }
    stage_.x_tilde = stage_.x_anchor + tau * v_bar_;
    stage_.tau = tau;
    stage_.scale = tau * tau;
    stage_.t = t + h;
    const SolveReport solve = r.dynamics.solve(stage_, x, y_);
    if (!solve.ok()) return unsolved(solve);

    next.t = t + h;
    next.x = y_;
    next.v = (y_ - stage_.x_anchor) / tau;
    r.dynamics.prescribe(next);
    const Dissipated end = h * r.dynamics.dissipated(next.v, next.v);
    const Dissipated dissipated = restarts ? end : 0.5 * (h * r.dynamics.dissipated(v, v) + end);
    return at_stage_solution(r.dynamics, next, solve, dissipated);
}

} // namespace rubato
