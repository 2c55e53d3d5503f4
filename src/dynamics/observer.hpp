#pragma once

#include "dynamics/dynamics.hpp"
#include "dynamics/energy_ledger.hpp"

namespace rubato {

/// Everything known about an accepted step (or, with step = 0, about the start).
struct StepRecord {
    long step = 0; ///< number of accepted steps so far
    double h = 0; ///< length of this step [s]
    const State& state;
    EnergyParts potential;
    double kinetic = 0; ///< [J]
    Vec3 linear_momentum, angular_momentum;
    Touching touching = {};
    const EnergyLedger& ledger;
    const StepOutcome& outcome;
    double wall = 0; ///< wall-clock time since the run (or its resumption) began [s]
    PhaseTimes phases = {}; ///< where it went

    double total() const { return kinetic + potential.total(); }
};

/// Watches a run: statistics, frames, checkpoints, progress.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void step(const StepRecord& record) = 0;
};

} // namespace rubato
