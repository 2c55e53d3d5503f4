#pragma once

#include "dynamics/dissipation.hpp"
#include "dynamics/mass.hpp"
#include "dynamics/potential.hpp"
#include "dynamics/prescription.hpp"
#include "dynamics/velocity_filter.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace rubato {

/// A number that nothing else in this process has had.
std::uint64_t unused_id();

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

    // What is computed once for a system is kept under these ids, not under its address. Whoever changes a system that
    // was solved for draws the id anew.
    std::uint64_t structure = unused_id(); ///< of unknowns, pattern and prescription
    std::uint64_t values = unused_id(); ///< of masses and parameters of terms

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
