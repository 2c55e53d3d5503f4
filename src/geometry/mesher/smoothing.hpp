#pragma once

#include "geometry/mesher/working_mesh.hpp"
#include "geometry/mesher/zero_set.hpp"

#include <optional>

namespace rubato::mesher {

/// The place on the sharp edge nearest p, which the crease of a node nearby describes.
std::optional<Vec3> onto_crease(const ZeroSet& surface, const Vec3& p, Crease& crease);

/// Moves a node so that the worst tetrahedron at it gets better, along the surface or the crease that holds it.
/// Returns whether it moved.
bool smooth(WorkingMesh& mesh, const ZeroSet& surface, Index v);

} // namespace rubato::mesher
