#pragma once

#include "geometry/tet_mesh.hpp"
#include "picture/image.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rubato {

/// One thing to be drawn: triangles over positions. Only positions that a triangle uses count.
struct PictureBody {
    std::vector<Vec3> positions = {}; ///< [m]
    std::vector<Triangle> triangles = {}; ///< either orientation: both sides are drawn
    std::optional<Rgb> color = {}; ///< none: body_color of its place in the list
    std::vector<double> vertex_values = {}; ///< one per position, shown by the colour map; empty: plain colour
    std::vector<double> triangle_values = {}; ///< one per triangle, likewise; comes before vertex_values
    std::vector<char> inside = {}; ///< per triangle: 1 where a cut laid an inner face open; empty: nowhere
    bool edges = false; ///< draw the edges of the triangles
    double crease_angle = 40; ///< faces that meet at more are not smoothed together [degrees]; 0: flat triangles
};

/// What lies on the side to which the normal points is taken away.
struct CutPlane {
    Vec3 point = Vec3::Zero(); ///< [m]
    Vec3 normal = Vec3::UnitZ(); ///< any length
};

/// The boundary of a tetrahedral mesh, its node numbers unchanged. With a cut, tetrahedra whose centroids lie on its
/// far side are taken away and the inner faces that come to light are marked `inside`. `tet_values`, one per
/// tetrahedron or none, become the values of the faces.
PictureBody picture_body(
    const TetMesh& mesh, const std::optional<CutPlane>& cut = {}, std::span<const double> tet_values = {});
PictureBody picture_body(const TriangleMesh& mesh);

/// Unit normals at the three corners of each triangle: at a corner, the mean of the faces around the node, weighted by
/// their angles there, as far as they lean less than `crease_angle` [degrees] against the triangle itself. A triangle
/// without area has the normal zero.
std::vector<std::array<Vec3, 3>> crease_normals(
    const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles, double crease_angle);

/// InputError if a position is not finite, a triangle names a position that is not there, or a list has the wrong
/// length.
void require_drawable(const PictureBody& body, const std::string& name);

} // namespace rubato
