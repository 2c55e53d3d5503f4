#pragma once

#include "geometry/tet_mesh.hpp"

#include <span>
#include <string>
#include <vector>

namespace rubato {

/// Consecutive polygons of a surface that share their names. An empty name: none was given.
struct SurfacePart {
    Index first_polygon = 0; ///< the part ends where the next one begins
    std::string object, group, material;
};

/// A surface as its author made it: every vertex in the order of the file (used or not), polygons of any number of
/// corners, texture coordinates, and the names of objects, groups and materials. Normals are left out: they would be
/// wrong as soon as the surface deforms.
struct Surface {
    std::vector<Vec3> vertices; ///< [m]
    std::vector<Index> corners; ///< vertices of polygon 0, then of polygon 1, ...; counter-clockwise from outside
    std::vector<Index> polygons; ///< where each polygon begins in `corners`, and at last corners.size(): {0} for none
    std::vector<Eigen::Vector2d> texture; ///< texture coordinates (u, v), in the order of the file
    std::vector<Index> corner_texture; ///< number in `texture` for each corner, -1 for none; empty: no texture at all
    std::vector<SurfacePart> parts; ///< ascending; empty: no names
    std::vector<std::string> material_files; ///< names of the .mtl files of an .obj

    std::size_t polygon_count() const { return polygons.empty() ? 0 : polygons.size() - 1; }
    /// Corners of polygon p.
    std::span<const Index> polygon(std::size_t p) const
    {
        return {corners.data() + polygons[p], static_cast<std::size_t>(polygons[p + 1] - polygons[p])};
    }
};

/// Its triangles, each polygon cut as append_triangles does (geometry/polygon.hpp): convex ones into a fan from their
/// first corner, concave ones by ears. Vertex numbers stay as they are.
TriangleMesh triangulated(const Surface& surface);

/// Triangles as a surface without names.
Surface surface_of(const TriangleMesh& mesh);

} // namespace rubato
