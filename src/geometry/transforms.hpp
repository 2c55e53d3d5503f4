#pragma once

#include "geometry/bounds.hpp"
#include "geometry/tet_mesh.hpp"

namespace rubato {

/// Every node moved to linear * x + offset. A mirroring map (negative determinant) also reorders the nodes of each
/// element, so that volumes stay positive and surfaces outward. Groups keep their names and nodes.
TetMesh transformed(TetMesh mesh, const Mat3& linear, const Vec3& offset);
TriangleMesh transformed(TriangleMesh mesh, const Mat3& linear, const Vec3& offset);

TetMesh translated(TetMesh mesh, const Vec3& offset);
TetMesh scaled(TetMesh mesh, const Vec3& factors); ///< about the origin
TetMesh rotated(TetMesh mesh, const Vec3& axis, double angle); ///< about the origin; any length of axis > 0; [rad]

/// Rotation matrix; an axis of length zero is an InputError.
Mat3 rotation(const Vec3& axis, double angle);

} // namespace rubato
