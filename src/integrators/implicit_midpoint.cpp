#include "integrators/implicit_midpoint.hpp"

#include "integrators/end_point.hpp"

namespace rubato {

/// x' = x + h u                      u = (v + v')/2
/// v' = v + h a(t + h/2, y, u)       y = (x + x')/2
///
/// solved for y: with tau = h/2, u = (y - x)/tau and y = x + tau v + tau^2 a(y, u); then x' = 2y - x, v' = 2u - v.
/// Minimising over y is the variational midpoint rule.
///
/// Second order, symplectic, time-reversible, A-stable but not L-stable: R(z) = (1 + z/2)/(1 - z/2). It keeps linear
/// and angular momentum, and the energy of linear systems exactly; of nonlinear ones not.
/// The solver has checked y, not x': the way from y to x' is asked for.
/// Dissipated: grad D(u) . (x' - x), over the whole step, which balances the energy of linear systems exactly.
StepOutcome ImplicitMidpoint::step(const StepRequest& r, State& next)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h;
    const double tau = 0.5 * h;

    stage_.x_tilde = x + tau * v;
    stage_.x_anchor = x;
    stage_.tau = tau;
    stage_.scale = tau * tau;
    stage_.t = t + tau;
    auto& [t_middle, y, u] = middle_;
    const SolveReport solve = r.dynamics.solve(stage_, x, y);
    if (!solve.ok()) return unsolved(solve);

    t_middle = t + tau;
    u = (y - x) / tau;
    next.t = t + h;
    next.x = 2 * y - x;
    next.v = 2 * u - v;
    r.dynamics.prescribe(middle_); // dissipations saw the script's velocities in the stage, too
    r.dynamics.prescribe(next);
    dx_ = next.x - x;
    return at_computed_point(r.dynamics, y, next, solve, r.dynamics.dissipated(u, dx_));
}

} // namespace rubato
