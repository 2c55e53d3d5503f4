#pragma once

#include "base/options.hpp"
#include "dynamics/potential.hpp"
#include "geometry/tet_mesh.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato {

/// Rest geometry of linear tetrahedra, as the element loop wants it: flat tables, sized once.
struct TetrahedraTable {
    std::vector<Tet> tets; ///< node numbers in the system
    std::vector<Mat3> Dm_inv; ///< inverse of the rest edge matrix [x1-x0, x2-x0, x3-x0] [1/m]
    std::vector<double> volume; ///< rest volume [m^3]

    /// X: rest positions of all nodes of the system, 3 per node. Every tetrahedron must have positive volume.
    TetrahedraTable(std::vector<Tet> tets, const Vector& X);
};

/// One line of the material catalog: elasticity of tetrahedra with this energy density.
struct MaterialEntry {
    std::string name, summary;
    std::vector<OptionSpec> options; ///< young [Pa], poisson, or mu, lambda where they make sense
    bool is_barrier = false; ///< refuses inverted initial states and caps steps before inversion
    std::function<std::unique_ptr<Potential>(const Options&, TetrahedraTable)> make;
};

/// Every material as a potential over tetrahedra.
const std::vector<MaterialEntry>& tetrahedra_catalog();

/// Lumped mass: each tetrahedron gives a quarter of density * volume to each of its nodes. [kg], one entry per node.
void add_lumped_mass(const TetrahedraTable& table, double density, Vector& nodal_mass);

} // namespace rubato
