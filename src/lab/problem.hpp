#pragma once

#include "dynamics/state.hpp"
#include "solvers/cpu_dynamics.hpp"

#include <memory>

namespace rubato {

/// A small problem with a known answer: an ordinary System, so that every integrator and solver can run it, and the
/// state it starts in. Nodes of one-dimensional problems move along x; y and z stay where they are.
struct LabProblem {
    std::unique_ptr<CpuDynamics> dynamics;
    State start;
};

/// Solver options for measurements: solved to round-off, so that only the integrator is measured.
/// `velocity_tolerance` [m/s].
inline NewtonOptions exact_solves(double velocity_tolerance = 1e-12)
{
    NewtonOptions options;
    options.velocity_tolerance = velocity_tolerance;
    return options;
}

} // namespace rubato
