#include "geometry/surface.hpp"

#include "geometry/polygon.hpp"

namespace rubato {

TriangleMesh triangulated(const Surface& surface)
{
    TriangleMesh mesh{surface.vertices, {}};
    for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
        append_triangles(surface.vertices, surface.polygon(p), mesh.triangles);
    }
    return mesh;
}

Surface surface_of(const TriangleMesh& mesh)
{
    Surface surface;
    surface.vertices = mesh.nodes;
    surface.polygons = {0};
    for (const Triangle& t : mesh.triangles) {
        surface.corners.insert(surface.corners.end(), t.begin(), t.end());
        surface.polygons.push_back(static_cast<Index>(surface.corners.size()));
    }
    return surface;
}

} // namespace rubato
