#pragma once

#include "geometry/tet_mesh.hpp"

namespace rubato {

/// How thick a solid is below each triangle of its surface [m]: the way from the middle of the triangle, straight
/// inward, to where it leaves the solid. Triangles that share a node with it do not count: they meet it at an edge,
/// which is no thin place. Infinite where nothing is hit: below a triangle of no area, or of an open surface.
std::vector<double> thicknesses(const TriangleMesh& surface);

/// The thickness that at least `share` of the surface's area does not exceed [m]. A few bad triangles do not decide.
double thinnest(const TriangleMesh& surface, double share);

} // namespace rubato
