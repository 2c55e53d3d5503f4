#pragma once

#include "base/errors.hpp"
#include "geometry/tet_mesh.hpp"

#include <string>
#include <vector>

namespace rubato {

/// Everything that makes a rest mesh unusable: no tetrahedra, coordinates that are not finite, node numbers out of
/// range, a node twice in one tetrahedron, a tetrahedron twice, nodes without a tetrahedron (they would have no mass),
/// and volumes that are not positive. Empty: the mesh is fit to simulate. `file` is named in each mistake.
/// Tetrahedra and nodes are counted from 1, in the order of the mesh.
std::vector<Mistake> mesh_mistakes(const TetMesh& mesh, const std::string& file);

} // namespace rubato
