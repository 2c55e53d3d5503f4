#pragma once

#include "geometry/mesher/working_mesh.hpp"
#include "geometry/mesher/zero_set.hpp"

namespace rubato::mesher {

/// Moves boundary nodes onto sharp edges and corners of the surface that run between them, nearest first, where the
/// tetrahedra stay usable. Returns how many were moved. May be called again once the mesh has been improved.
Index place_on_creases(WorkingMesh& mesh, const ZeroSet& surface);

} // namespace rubato::mesher
