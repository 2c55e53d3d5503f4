#include "integrators/rk4.hpp"

#include "integrators/end_point.hpp"

namespace rubato {

/// With z = (x, v), f(t, z) = (v, a(t, x, v)):
///
///     k1 = f(t, z)                        k3 = f(t + h/2, z + h/2 k2)
///     k2 = f(t + h/2, z + h/2 k1)         k4 = f(t + h, z + h k3)
///     z' = z + h/6 (k1 + 2 k2 + 2 k3 + k4)
///
/// Fourth order; stable for h omega < 2 sqrt 2 without damping, where it loses a little energy.
/// Dissipated: the work of the damping forces as the kinetic energy that they take from the velocity. With
/// J_i = h sum_j a_ij M^-1 grad D(V_j), what they have taken from V_i within the step, and J the same at its end,
///
///     h sum_i b_i grad D(V_i) . (V_i + J_i) - 1/2 |J|^2_M
///
/// is fourth order too: J' = M^-1 grad D(v) is one more equation under the method. It differs from
/// h sum_i b_i grad D(V_i) . V_i by what the quadrature makes of the derivative of 1/2 |J|^2_M, of which the step takes
/// the exact difference. So it closes the balance of a body under drag alone at every step, while the plain sum is
/// fifteen times the kinetic energy near the limit of stability.
StepOutcome Rk4::step(const StepRequest& r, State& next)
{
    constexpr double c[4] = {0, 0.5, 0.5, 1};
    constexpr double b[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const auto& [t, x, v] = r.now;
    const double h = r.h;

    Dissipated dissipated;
    for (int i = 0; i < 4; ++i) {
        State& s = stage_[i];
        s.t = t + c[i] * h;
        if (i == 0) {
            s.x = x;
            s.v = v;
        } else {
            s.x = x + (c[i] * h) * stage_[i - 1].v;
            s.v = v + (c[i] * h) * A_[i - 1];
            r.dynamics.prescribe(s);
            if (!r.dynamics.finite(s)) return broken_off(StepStatus::not_finite);
            if (!r.dynamics.admissible(s.t, x, s.x)) return broken_off(StepStatus::inadmissible);
        }
        r.dynamics.acceleration(s.t, s.x, s.v, A_[i]);
        undamped_ = s.v;
        if (i > 0) undamped_ -= (c[i] * h) * last_loss_; // a_ij: the stage before alone
        undamped_ *= h * b[i];
        dissipated = dissipated + r.dynamics.dissipated(s.v, undamped_);
        r.dynamics.dissipative_acceleration(s.t, s.v, last_loss_);
        if (i == 0)
            impulse_ = (h * b[i]) * last_loss_;
        else
            impulse_ += (h * b[i]) * last_loss_;
    }
    dissipated.free -= 0.5 * r.dynamics.mass_inner(impulse_, impulse_);

    next.t = t + h;
    next.x = x + h * (b[0] * stage_[0].v + b[1] * stage_[1].v + b[2] * stage_[2].v + b[3] * stage_[3].v);
    next.v = v + h * (b[0] * A_[0] + b[1] * A_[1] + b[2] * A_[2] + b[3] * A_[3]);
    return at_computed_point(r.dynamics, x, next, {}, dissipated);
}

} // namespace rubato
