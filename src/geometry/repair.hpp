#pragma once

#include "geometry/tet_mesh.hpp"

#include <string>
#include <vector>

namespace rubato {

/// The mesh with those mistakes mended for which there is one safe way, in this order:
///
///   nodes at exactly the same place become one, all such or none: unless the boundary would then touch itself where it
///   did not before;
///   tetrahedra that use a node twice or the same nodes as an earlier one are dropped;
///   a tetrahedron of negative volume gets two nodes swapped, if it then lies on the other side of each common face
///   than its neighbour (else a node has been pushed through it, and swapping would hide an overlap);
///   a flat tetrahedron is dropped, if it has a face on the boundary and the boundary around it stays a manifold;
///   nodes without a tetrahedron are dropped, from the groups too.
///
/// Numbers of nodes keep their order, positions are never moved. Adds a line to `what_was_done` for each kind of change
/// and, beginning with "left:", for each kind of mistake that stays. Nodes and tetrahedra are counted from 1 there, as
/// in the mesh that was given unless the line says otherwise. A mesh with node numbers out of range or coordinates that
/// are not finite stays as it is.
TetMesh repaired(TetMesh mesh, std::vector<std::string>& what_was_done);

} // namespace rubato
