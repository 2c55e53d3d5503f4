#include "geometry/surface.hpp"

namespace rubato {

TriangleMesh triangulated(const Surface& surface)
{
    TriangleMesh mesh{surface.vertices, {}};
    for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
        const Index* corner = surface.corners.data() + surface.polygons[p];
        const Index count = surface.polygons[p + 1] - surface.polygons[p];
        for (Index i = 2; i < count; ++i) mesh.triangles.push_back({corner[0], corner[i - 1], corner[i]});
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
