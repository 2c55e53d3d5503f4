#include "integrators/symplectic_euler.hpp"

#include "integrators/end_point.hpp"

namespace rubato {

/// v' = v + h a(t, x, v)
/// x' = x + h v'
///
/// First order; symplectic without dissipation, and then it keeps linear and angular momentum. Stable for
/// h omega < 2, omega the highest frequency. Velocity-dependent forces are taken at the old velocity, which keeps the
/// method explicit and first order. Dissipated: h grad D(v) . (v + v')/2, as forward Euler; along x' - x it would be
/// less than nothing where the step turns the velocity round.
StepOutcome SymplecticEuler::step(const StepRequest& r, State& next)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h;

    r.dynamics.acceleration(t, x, v, a_);
    next.t = t + h;
    next.v = v + h * a_;
    next.x = x + h * next.v;

    dx_ = (0.5 * h) * (v + next.v);
    return at_computed_point(r.dynamics, x, next, {}, r.dynamics.dissipated(v, dx_));
}

} // namespace rubato
