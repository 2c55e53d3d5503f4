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
/// Dissipated: the same quadrature, h sum_i b_i grad D(V_i) . V_i, so it is fourth order too.
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
            if (!s.finite()) return broken_off(StepStatus::not_finite);
            if (!r.dynamics.admissible(s.t, x, s.x)) return broken_off(StepStatus::inadmissible);
        }
        r.dynamics.acceleration(s.t, s.x, s.v, A_[i]);
        dissipated = dissipated + (h * b[i]) * r.dynamics.dissipated(s.v, s.v);
    }

    next.t = t + h;
    next.x = x + h * (b[0] * stage_[0].v + b[1] * stage_[1].v + b[2] * stage_[2].v + b[3] * stage_[3].v);
    next.v = v + h * (b[0] * A_[0] + b[1] * A_[1] + b[2] * A_[2] + b[3] * A_[3]);
    return at_computed_point(r.dynamics, x, next, {}, dissipated);
}

} // namespace rubato
