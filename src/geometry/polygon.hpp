#pragma once

#include "geometry/tet_mesh.hpp"

#include <span>
#include <vector>

namespace rubato {

/// Appends the triangles of a polygon, two fewer than it has corners (numbers of `vertices`), facing the side that it
/// faces. It is a fan from the first corner where that serves: for triangles, convex polygons, and all others that see
/// each of their corners from the first. Others are cut by ears in the plane that suits them best, also where corners
/// lie on straight sides, so that no triangle is without area. Polygons that cross themselves or have no area become
/// fans.
void append_triangles(
    const std::vector<Vec3>& vertices, std::span<const Index> polygon, std::vector<Triangle>& triangles);

} // namespace rubato
