#pragma once

#include "geometry/tet_mesh.hpp"

#include <array>
#include <vector>

namespace rubato {

/// Whether a triangle is as good as a segment or a point: its height is below 1e-12 of its longest side.
bool without_area(const Vec3& a, const Vec3& b, const Vec3& c);

/// How the triangles of a surface hang together through their edges, by the places of their corners. Triangles with
/// two corners at one place and second copies of triangles do not count.
struct SurfaceEdges {
    struct Use {
        Index triangle; ///< place in `kept`
        bool forward; ///< the triangle runs through the edge from its lower to its higher end
    };
    struct Edge {
        std::array<Index, 2> ends; ///< lower, higher vertex
        Index first, count; ///< its uses
    };
    enum class Copy { none, same, opposite };

    explicit SurfaceEdges(const TriangleMesh& mesh);

    bool closed(const Edge& e) const { return e.count == 2; }
    bool consistent(const Edge& e) const { return e.count != 2 || uses[e.first].forward != uses[e.first + 1].forward; }

    std::vector<Index> place; ///< of each vertex of the mesh
    std::vector<Copy> copies; ///< of each triangle of the mesh: whether an earlier one has the same corners
    std::vector<Index> kept; ///< triangles that count, ascending
    std::vector<Index> stands_for; ///< for each triangle of the mesh the place in `kept` of the one with its corners,
                                   ///< or -1: two corners are at one place
    std::vector<Triangle> corners; ///< of each of them, by place
    std::vector<Edge> edges; ///< sorted by their ends
    std::vector<Use> uses;
};

/// Triangles connected through edges of exactly two triangles.
struct SurfacePatch {
    std::vector<Index> triangles; ///< places in SurfaceEdges::kept, ascending
    bool closed = true; ///< every edge belongs to two triangles
    bool orientable = true; ///< all can face the same side
    std::vector<bool> against; ///< for each triangle: it faces the other side than most of the area
    double volume = 0; ///< signed, seen from its own middle, after these are turned [m^3]
    double area = 0; ///< [m^2]
    bool consistent() const;
};
std::vector<SurfacePatch> surface_patches(const TriangleMesh& mesh, const SurfaceEdges& edges);

/// Which patches (made consistent) must be turned so that bodies face outward and cavities inward, and which are
/// cavities then. A closed patch inside others is a cavity if it takes away from what is around it; if an outermost
/// patch must be turned, what is inside it is turned as well. Open patches are turned where they clearly bend the
/// wrong way; those that say nothing alone (single triangles) are judged together; one-sided ones stay as they are. A
/// closed patch is nested if it faces outward where others that hold it have made everything solid already: its volume
/// would count twice.
struct PatchOrientation {
    std::vector<bool> turn, cavity, nested;
};
PatchOrientation patch_orientation(
    const TriangleMesh& mesh, const SurfaceEdges& edges, const std::vector<SurfacePatch>& patches);

} // namespace rubato
