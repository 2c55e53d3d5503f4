#pragma once

#include "dynamics/dissipation.hpp"
#include "dynamics/mass.hpp"
#include "dynamics/potential.hpp"
#include "dynamics/prescription.hpp"
#include "dynamics/velocity_filter.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// What moves: mass, conservative potentials, dissipations and prescribed unknowns. Everything about space, nothing
/// about how time is stepped.
struct System {
    Mass mass;
    std::vector<std::unique_ptr<Potential>> potentials; ///< contact last
    std::vector<std::unique_ptr<Dissipation>> dissipations;
    Prescription prescription;
    std::vector<std::unique_ptr<VelocityFilter>>
        filters; ///< of the velocities that a step ends with, one after another
    Vector X; ///< rest positions [m], 3 per node; empty where unknowns are no positions in space

    Eigen::Index unknowns() const { return 3 * Eigen::Index{mass.nodes()}; }

    /// The blocks that mass, potentials and dissipations may touch together.
    BlockPattern pattern() const
    {
        BlockPattern all(mass.nodes());
        mass.pattern(all);
        for (const auto& term : potentials) term->pattern(all);
        for (const auto& term : dissipations) term->pattern(all);
        return all;
    }
};

} // namespace rubato
