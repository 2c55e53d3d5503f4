#include "integrators/theta_method.hpp"

#include "integrators/end_point.hpp"

namespace rubato {

/// The outer theta-method (000 eq. 2), with a = a(t, x, v), a' = a(t + h, x', v'):
///
///     x' = x + h ((1 - theta) v + theta v')
///     v' = v + h ((1 - theta) a + theta a')
///
/// With tau = theta h and x_anchor = x + h (1 - theta) v this is x' = x_anchor + tau v', and one stage solves it:
///
///     x_tilde = x_anchor + tau (v + h (1 - theta) a),     s = tau^2
///
/// Order two at theta = 1/2, else one. A-stable for theta >= 1/2, R(z) = (1 + (1 - theta) z)/(1 - theta z); L-stable
/// only at 1. The old forces are evaluated anew in each step, so there is no history.
/// Dissipated: the forces that act, along the motion, ((1 - theta) grad D(v) + theta grad D(v')) . (x' - x). On a
/// linear system with u = (x' - x)/h, K the stiffness and C the damping
///
///     H - H' = h u . C u + (theta - 1/2) (|v' - v|^2_M + |x' - x|^2_K),
///
/// the first term of which is this: for theta >= 1/2 never negative, never more than the step loses. (The sum of
/// grad D(v) . v over both ends has theta (1 - theta) h (v' - v) . C (v' - v) on top, without bound as h C grows.)
StepOutcome ThetaMethod::step(const StepRequest& r, State& next)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h;
    const double tau = theta_ * h;
    r.dynamics.acceleration(t, x, v, a_);

    stage_.x_anchor = x + (h * (1 - theta_)) * v;
    stage_.x_tilde = stage_.x_anchor + tau * (v + (h * (1 - theta_)) * a_);
    stage_.tau = tau;
    stage_.scale = tau * tau;
    stage_.t = t + h;
    const SolveReport solve = r.dynamics.solve(stage_, x, y_);
    if (!solve.ok()) return unsolved(solve);

    next.t = t + h;
    next.x = y_;
    next.v = (y_ - stage_.x_anchor) / tau;
    r.dynamics.prescribe(next);
    dx_ = next.x - x;
    const Dissipated dissipated
        = (1 - theta_) * r.dynamics.dissipated(v, dx_) + theta_ * r.dynamics.dissipated(next.v, dx_);
    return at_stage_solution(r.dynamics, next, solve, dissipated);
}

std::vector<OptionSpec> ThetaMethod::options()
{
    return {
        {.name = "theta",
            .fallback = 0.55,
            .summary = "share of the new forces and velocities",
            .least = 0,
            .most = 1,
            .least_open = true},
    };
}

std::unique_ptr<Integrator> ThetaMethod::make(const Options& o)
{
    return std::make_unique<ThetaMethod>(o.real("theta"));
}

int ThetaMethod::order(const Options& o) { return o.real("theta") == 0.5 ? 2 : 1; }

} // namespace rubato
