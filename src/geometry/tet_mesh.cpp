#include "geometry/tet_mesh.hpp"

#include "geometry/tet_faces.hpp"

#include <algorithm>

namespace rubato {

namespace {

/// The faces that belong to one tetrahedron only, in the order of the tetrahedra, not of the node numbers.
std::vector<TetFace> boundary_faces(const std::vector<Tet>& tets)
{
    Index last = -1;
    for (const Tet& tet : tets) last = std::max(last, *std::max_element(tet.begin(), tet.end()));
    const std::vector<char> all(tets.size(), 1);
    std::vector<TetFace> alone;
    for_shared_faces(sorted_faces(tets, all, static_cast<std::size_t>(last) + 1), [&](std::span<const TetFace> same) {
        if (same.size() == 1) alone.push_back(same[0]);
    });
    std::sort(alone.begin(), alone.end(), [](const TetFace& a, const TetFace& b) { return a.place < b.place; });
    return alone;
}

} // namespace

std::vector<Triangle> boundary_triangles(const std::vector<Tet>& tets)
{
    std::vector<Triangle> boundary;
    for (const TetFace& f : boundary_faces(tets)) boundary.push_back(tet_face(tets[f.tet()], f.face()));
    return boundary;
}

std::vector<Index> tets_behind_boundary(const std::vector<Tet>& tets)
{
    std::vector<Index> behind;
    for (const TetFace& f : boundary_faces(tets)) behind.push_back(static_cast<Index>(f.tet()));
    return behind;
}

BoundarySurface boundary_surface(const std::vector<Tet>& tets)
{
    BoundarySurface surface;
    surface.triangles = boundary_triangles(tets);
    for (const Triangle& t : surface.triangles) surface.nodes.insert(surface.nodes.end(), t.begin(), t.end());
    std::sort(surface.nodes.begin(), surface.nodes.end());
    surface.nodes.erase(std::unique(surface.nodes.begin(), surface.nodes.end()), surface.nodes.end());
    for (Triangle& t : surface.triangles) {
        for (Index& corner : t) {
            const auto found = std::lower_bound(surface.nodes.begin(), surface.nodes.end(), corner);
            corner = static_cast<Index>(found - surface.nodes.begin());
        }
    }
    return surface;
}

} // namespace rubato
