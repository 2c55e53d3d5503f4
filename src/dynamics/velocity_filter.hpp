#pragma once

#include "dynamics/state.hpp"

namespace rubato {

/// Changes the velocity that a step ends with: a law about velocities alone, such as a restitution, a collision that is
/// resolved by an impulse, or friction as an impulse.
///
/// It acts on what a method proposed, before the step is judged, so it must not remember anything here: the attempt may
/// be rejected. Kinetic energy that goes is booked as dissipated, whoever takes it; methods hear of the change once the
/// step is accepted (Integrator::jumped). What it says about prescribed unknowns is not heard: they keep the velocity
/// of their script.
class VelocityFilter {
public:
    virtual ~VelocityFilter() = default;

    /// The step of length h [s] from `before` ends at `after`; changes after.v only.
    virtual void apply(const State& before, State& after, double h) = 0;
};

} // namespace rubato
