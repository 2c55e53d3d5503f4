#include "integrators/stormer_verlet.hpp"

#include "integrators/end_point.hpp"

namespace rubato {

/// x' = x + h v + h^2/2 a             a  = a(t, x, v)
/// v' = v + h/2 (a + a')              a' = a(t + h, x', v + h a)
///
/// Second order; symplectic and time-reversible without dissipation; stable for h omega < 2.
///
/// With velocity-dependent forces the second kick would be implicit in v'. It sees the predicted velocity v + h a
/// instead, which differs from v' by O(h^2): the error in v' is O(h^3), so the order stays two for any smooth
/// dissipation, and conservative forces never notice. (For drag alone this is Heun's method: h < 2/rate.)
///
/// Dissipated: the kinetic energy that the impulse of the damping forces takes from the velocity,
/// h/2 (grad D(v) + grad D(v + h a)) . (v + v')/2.
StepOutcome StormerVerlet::step(const StepRequest& r, State& next)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h;

    r.dynamics.acceleration(t, x, v, a_);
    next.t = t + h;
    next.x = x + h * v + (0.5 * h * h) * a_;
    predicted_.t = next.t;
    predicted_.x = next.x;
    predicted_.v = v + h * a_;
    r.dynamics.prescribe(predicted_);

    // Forces may be undefined at x', so ask before evaluating them there.
    if (!r.dynamics.finite(next.x)) return broken_off(StepStatus::not_finite);
    if (!r.dynamics.admissible(next.t, x, next.x)) return broken_off(StepStatus::inadmissible);
    r.dynamics.acceleration(next.t, next.x, predicted_.v, a_next_);
    next.v = v + (0.5 * h) * (a_ + a_next_);
    r.dynamics.prescribe(next);

    dx_ = (0.5 * h) * (v + next.v);
    const Dissipated dissipated = 0.5 * (r.dynamics.dissipated(v, dx_) + r.dynamics.dissipated(predicted_.v, dx_));
    return at_stage_solution(r.dynamics, next, {}, dissipated);
}

} // namespace rubato
