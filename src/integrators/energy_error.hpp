#pragma once

#include "dynamics/integrator.hpp"

#include <algorithm>
#include <cmath>

/// How far a proposed state is from what the ledger asks for, for all methods that control energy.
namespace rubato {

inline double total_energy(Dynamics& dynamics, const State& state) ///< [J]
{
    return dynamics.potential_energy(state.t, state.x).total() + dynamics.kinetic_energy(state.v);
}

/// What the total energy should be at `next`, where prescribed unknowns already follow the script, after a step that
/// dissipates this much [J].
inline double target_at(const StepRequest& r, const State& next, double dissipated)
{
    return r.ledger.target_after(r.now.t, next.t, r.dynamics.injected(r.now, next), dissipated);
}

/// Total energy less target [J].
inline double energy_error(const StepRequest& r, const State& next, double dissipated)
{
    return total_energy(r.dynamics, next) - target_at(r, next, dissipated);
}

/// An energy error at the end of the step that is near enough [J]: `tolerance` times the total energy at its start (001
/// eq. 24), or times the target there if that is less, so that errors which were left alone do not widen the bound.
inline double near_enough(const StepRequest& r, double tolerance)
{
    const double potential = r.dynamics.potential_energy(r.now.t, r.now.x).total();
    const double kinetic = r.dynamics.kinetic_energy(r.now.v);
    const double round_off = 1e-15 * (std::abs(potential) + kinetic);
    return tolerance * std::min(std::abs(potential + kinetic), std::abs(r.ledger.target)) + round_off;
}

} // namespace rubato
