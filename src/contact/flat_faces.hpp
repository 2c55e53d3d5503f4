#pragma once

#include "dynamics/state.hpp"
#include "geometry/tet_mesh.hpp"

#include <vector>

namespace rubato {

/// Coplanar triangles that together are one convex polygon, as those of a floor or of a side of a box: the number of
/// the polygon for each triangle, counted from 0; -1 for a triangle that belongs to none. The distance to a convex
/// polygon is smooth wherever it is not zero; that of other flat pieces, with a hole or an inward corner, is not, and
/// their triangles stay alone.
std::vector<Index> flat_faces(const std::vector<Triangle>& faces, const Vector& X);

} // namespace rubato
