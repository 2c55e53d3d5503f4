#include "geometry/tet_mesh.hpp"

#include <algorithm>
#include <cstdint>

namespace rubato {

namespace {

/// Faces of a tetrahedron of positive volume, counter-clockwise seen from outside; face f lies opposite corner f.
constexpr int outward_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

struct Face {
    Triangle sorted; ///< what two neighbours agree on
    std::int64_t place; ///< 4 * tetrahedron + face
};

Triangle face_of(const std::vector<Tet>& tets, std::int64_t place)
{
    const Tet& tet = tets[static_cast<std::size_t>(place / 4)];
    const int* corners = outward_faces[place % 4];
    return {tet[corners[0]], tet[corners[1]], tet[corners[2]]};
}

/// Places of the faces that belong to one tetrahedron only, in the order of the tetrahedra, not of the node numbers.
std::vector<std::int64_t> boundary_places(const std::vector<Tet>& tets)
{
    std::vector<Face> faces(4 * tets.size());
    for (std::size_t i = 0; i < faces.size(); ++i) {
        faces[i] = {face_of(tets, static_cast<std::int64_t>(i)), static_cast<std::int64_t>(i)};
        std::sort(faces[i].sorted.begin(), faces[i].sorted.end());
    }
    std::sort(faces.begin(), faces.end(),
        [](const Face& a, const Face& b) { return a.sorted != b.sorted ? a.sorted < b.sorted : a.place < b.place; });

    std::vector<std::int64_t> alone;
    for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
        while (end < faces.size() && faces[end].sorted == faces[begin].sorted) ++end;
        if (end - begin == 1) alone.push_back(faces[begin].place);
    }
    std::sort(alone.begin(), alone.end());
    return alone;
}

} // namespace

std::vector<Triangle> boundary_triangles(const std::vector<Tet>& tets)
{
    std::vector<Triangle> boundary;
    for (const std::int64_t place : boundary_places(tets)) boundary.push_back(face_of(tets, place));
    return boundary;
}

std::vector<Index> tets_behind_boundary(const std::vector<Tet>& tets)
{
    std::vector<Index> behind;
    for (const std::int64_t place : boundary_places(tets)) behind.push_back(static_cast<Index>(place / 4));
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
