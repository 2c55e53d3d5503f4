#pragma once

#include "base/options.hpp"
#include "dynamics/potential.hpp"
#include "potentials/tet_batches.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato {

/// One line of the material catalog: elasticity of tetrahedra with this energy density.
struct MaterialEntry {
    std::string name, summary;
    std::vector<OptionSpec> options; ///< young [Pa], poisson, or mu, lambda where they make sense
    bool is_barrier = false; ///< refuses inverted initial states and caps steps before inversion
    std::function<std::unique_ptr<Potential>(const Options&, TetBatches)> make;
};

/// Every material as a potential over tetrahedra.
const std::vector<MaterialEntry>& tetrahedra_catalog();

/// Lumped mass: each tetrahedron gives a quarter of density * volume to each of its nodes. [kg], one entry per node.
void add_lumped_mass(const TetBatches& table, double density, Vector& nodal_mass);

} // namespace rubato
