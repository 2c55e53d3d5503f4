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
/// Dissipated: the same trapezoidal rule, h/2 (grad D(v) . v + grad D(v') . v').
StepOutcome StormerVerlet::step(const StepRequest& r, State& next)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h;

    r.dynamics.acceleration(t, x, v, a_);
    v_predicted_ = v + h * a_;
    next.t = t + h;
    next.x = x + h * v + (0.5 * h * h) * a_;

    // Forces may be undefined at x', so ask before evaluating them there.
    if (!next.x.allFinite()) return broken_off(StepStatus::not_finite);
    if (!r.dynamics.admissible(next.t, x, next.x)) return broken_off(StepStatus::inadmissible);
    r.dynamics.acceleration(next.t, next.x, v_predicted_, a_next_);
    next.v = v + (0.5 * h) * (a_ + a_next_);
    r.dynamics.prescribe(next);

    const Dissipated dissipated = 0.5 * h * (r.dynamics.dissipated(v, v) + r.dynamics.dissipated(next.v, next.v));
    return at_stage_solution(next, {}, dissipated);
}

} // namespace rubato
