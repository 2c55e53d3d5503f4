#pragma once

#include "geometry/tet_mesh.hpp"

#include <vector>

/// Closed surfaces of simple solids, facing outward.
namespace rubato {

/// Where the outline of a solid of revolution passes.
struct ProfilePoint {
    double radius; ///< distance from the axis [m]
    double height; ///< along the axis, from the centre [m]
};

/// The outline turned about an axis (of length 1) through `center`. It leads from the axis, upward, back to the axis:
/// its first and last radius are zero, no other is.
TriangleMesh revolved(const std::vector<ProfilePoint>& profile, const Vec3& center, const Vec3& axis, int segments);

/// All points closer than `radius` to the segment from a to b; a sphere where they are the same. For the eye.
TriangleMesh capsule_surface(const Vec3& a, const Vec3& b, double radius);

TriangleMesh cylinder_surface(const Vec3& center, const Vec3& axis, double radius, double height, int segments);

/// Eight corners, twelve triangles; `turn` about its centre.
TriangleMesh box_surface(const Vec3& center, const Vec3& size, const Mat3& turn);

/// Without vertices at the same place, triangles without area and unused vertices: a surface whose edges join, even if
/// it came as a soup. Triangles face where they did.
TriangleMesh welded(const TriangleMesh& mesh);

} // namespace rubato
