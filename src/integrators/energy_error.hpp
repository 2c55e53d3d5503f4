#pragma once

#include "dynamics/integrator.hpp"

#include <algorithm>
#include <cmath>

/// How far a proposed state is from what the ledger asks for, for all methods that control energy.
namespace rubato {

/// What scripts bring in depends on the velocity at the end of the step, by the middle of the way (a correction of
/// order h^2): a velocity that was chosen to meet the target is chosen again for what it brings in, at most this often.
inline constexpr int most_searches = 4;
inline constexpr double same_energy = 1e-14; // of all energies: what differs by less differs by round-off

/// What the total energy should be at t_next, where the potential energy is this [J], after a step in which this much
/// comes in [J], and that dissipates this much by the quadrature of its method.
inline double target_at(
    const StepRequest& r, double t_next, double injected, const Dissipated& dissipated, double potential)
{
    return r.ledger.target_after(r.now.t, t_next, injected, r.ledger.bookable(dissipated, injected, potential).free);
}

/// Total energy less target [J]; prescribed unknowns of `next` already follow the script.
inline double energy_error(const StepRequest& r, const State& next, const Dissipated& dissipated)
{
    const double potential = r.dynamics.potential_energy(next.t, next.x).total();
    const double target = target_at(r, next.t, r.dynamics.injected(r.now, next), dissipated, potential);
    return potential + r.dynamics.kinetic_energy(next.v) - target;
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
