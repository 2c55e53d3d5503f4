#include "integrators/energy_budget.hpp"

#include "integrators/energy_error.hpp"

#include <cmath>

namespace rubato {

/// The projection that 001 sec. 5 compares with: after a midpoint step the velocities of the free unknowns are scaled,
///
///     v' = f v_IM,     f^2 = (K - e)/K,     e = H(x', v_IM) - target,   K the kinetic energy of the free unknowns
///
/// and f = 0 where the potential energy alone exceeds the target, K < e. Second order while K is not small. Neither
/// linear nor angular momentum is kept. Dissipated: as the midpoint rule books it.
StepOutcome EnergyBudget::step(const StepRequest& r, State& next)
{
    StepOutcome outcome = midpoint_.step(r, next);
    if (outcome.status != StepStatus::ok) return outcome;

    r.dynamics.prescribe(next);
    v_ = next.v;
    const double potential = r.dynamics.potential_energy(next.t, next.x).total();
    const double total = potential + r.dynamics.kinetic_energy(v_);
    const double K = 0.5 * r.dynamics.mass_inner(v_, v_);
    double injected = 0;
    for (int n = 0; n < most_searches; ++n) {
        const double now = r.dynamics.injected(r.now, next);
        if (n > 0 && std::abs(now - injected) <= same_energy * (std::abs(potential) + K)) break;
        injected = now;
        const double e = total - target_at(r, next.t, injected, outcome.dissipated, potential);
        outcome.alpha = K == 0 ? 1 : e < K ? std::sqrt((K - e) / K) : 0;
        next.v = outcome.alpha * v_;
        r.dynamics.prescribe(next);
    }
    if (!r.dynamics.finite(next.v)) outcome.status = StepStatus::not_finite;
    return outcome;
}

} // namespace rubato
