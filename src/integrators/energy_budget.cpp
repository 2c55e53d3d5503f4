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
    const double e = energy_error(r, next, outcome.dissipated.free);
    const double K = 0.5 * r.dynamics.mass_inner(next.v, next.v);
    outcome.alpha = K == 0 ? 1 : e < K ? std::sqrt((K - e) / K) : 0;
    next.v *= outcome.alpha;
    r.dynamics.prescribe(next);
    if (!next.v.allFinite()) outcome.status = StepStatus::not_finite;
    return outcome;
}

} // namespace rubato
