#include "integrators/forward_euler.hpp"

#include "integrators/end_point.hpp"

namespace rubato {

/// x' = x + h v
/// v' = v + h a(t, x, v)
///
/// First order. Stability function R(z) = 1 + z: no step is stable for an undamped oscillation (z imaginary); with
/// drag alone, h < 2/rate. Dissipated: h grad D(v) . (v + v')/2, the kinetic energy that the impulse of the damping
/// forces takes from the velocity.
StepOutcome ForwardEuler::step(const StepRequest& r, State& next)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h;

    r.dynamics.acceleration(t, x, v, a_);
    next.t = t + h;
    next.x = x + h * v;
    next.v = v + h * a_;

    dx_ = (0.5 * h) * (v + next.v);
    return at_computed_point(r.dynamics, x, next, {}, r.dynamics.dissipated(v, dx_));
}

} // namespace rubato
