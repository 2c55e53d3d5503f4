#include "integrators/implicit_euler.hpp"

#include "integrators/end_point.hpp"

namespace rubato {

/// x' = x + h v'
/// v' = v + h a(t + h, x', v')
///
/// First order, L-stable: R(z) = 1/(1 - z). Loses energy at every frequency, most of it where h omega > 1.
/// Dissipated: grad D(v') . (x' - x).
StepOutcome ImplicitEuler::step_from(const Vector& start, const StepRequest& r, State& next)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h;

    stage_.x_tilde = x + h * v;
    stage_.x_anchor = x;
    stage_.tau = h;
    stage_.scale = h * h;
    stage_.t = t + h;
    const SolveReport solve = r.dynamics.solve(stage_, start, y_);
    if (!solve.ok()) return unsolved(solve);

    dx_ = y_ - x;
    next.t = t + h;
    next.x = y_;
    next.v = dx_ / h;
    r.dynamics.prescribe(next); // dissipations saw the script's velocities in the stage, too
    w_ = next.v;
    dx_ += h * (next.v - dx_ / h); // nothing but for scripted nodes: friction saw their velocity at the end of the step
    return at_stage_solution(r.dynamics, next, solve, r.dynamics.dissipated(next.v, dx_));
}

void ImplicitEuler::solved_acceleration(const StepRequest& r, Vector& a)
{
    r.dynamics.dissipative_acceleration(stage_.t, w_, a);
    a = (y_ - stage_.x_tilde) / stage_.scale - a;
}

} // namespace rubato
