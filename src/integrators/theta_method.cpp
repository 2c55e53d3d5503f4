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
/// Dissipated: the same quadrature, h ((1 - theta) grad D(v) . v + theta grad D(v') . v').
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
    const Dissipated dissipated
        = h * ((1 - theta_) * r.dynamics.dissipated(v, v) + theta_ * r.dynamics.dissipated(next.v, next.v));
    return at_stage_solution(next, solve, dissipated);
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
