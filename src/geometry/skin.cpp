#include "geometry/skin.hpp"

#include <algorithm>

namespace rubato {

namespace {

/// All of a skin as one body without a name.
std::vector<SkinBody> whole(std::size_t vertices, std::size_t polygons)
{
    return {{.name = {}, .vertices = static_cast<Index>(vertices), .polygons = static_cast<Index>(polygons)}};
}

} // namespace

Skin boundary_skin(const TetMesh& rest)
{
    const BoundarySurface boundary = boundary_surface(rest.tets);
    TriangleMesh mesh;
    for (const Index i : boundary.nodes) mesh.nodes.push_back(rest.nodes[static_cast<std::size_t>(i)]);
    mesh.triangles = boundary.triangles;
    return {.surface = surface_of(mesh),
        .points = at_nodes(boundary.nodes),
        .bodies = whole(mesh.nodes.size(), mesh.triangles.size())};
}

Skin embedded_skin(Surface surface, const TetMesh& rest)
{
    std::vector<double> outside;
    Embedding points = embedded(surface.vertices, rest, &outside);
    double farthest = 0; // vertices that no polygon uses may be anywhere
    for (const Index corner : surface.corners) farthest = std::max(farthest, outside[static_cast<std::size_t>(corner)]);
    std::vector<SkinBody> bodies = whole(surface.vertices.size(), surface.polygon_count());
    return {std::move(surface), std::move(points), std::move(bodies), true, farthest};
}

void append(Skin& skin, const Skin& body, Index first_node, const SkinName& name)
{
    Surface& all = skin.surface;
    const Surface& more = body.surface;
    if (all.polygons.empty()) all.polygons = {0};
    const auto first_vertex = static_cast<Index>(all.vertices.size());
    const auto first_corner = static_cast<Index>(all.corners.size());
    const auto first_polygon = static_cast<Index>(all.polygon_count());
    const auto first_texture = static_cast<Index>(all.texture.size());

    skin.bodies.push_back({name.name, name.obstacle, first_vertex, static_cast<Index>(more.vertices.size()),
        first_polygon, static_cast<Index>(more.polygon_count())});
    all.vertices.insert(all.vertices.end(), more.vertices.begin(), more.vertices.end());
    for (const Index i : more.corners) all.corners.push_back(first_vertex + i);
    for (std::size_t p = 1; p < more.polygons.size(); ++p) all.polygons.push_back(first_corner + more.polygons[p]);
    all.texture.insert(all.texture.end(), more.texture.begin(), more.texture.end());
    if (!more.corner_texture.empty() || !all.corner_texture.empty()) {
        all.corner_texture.resize(static_cast<std::size_t>(first_corner), -1);
        for (const Index i : more.corner_texture) all.corner_texture.push_back(i < 0 ? i : first_texture + i);
        all.corner_texture.resize(all.corners.size(), -1);
    }
    if (more.parts.empty() || more.parts.front().first_polygon > 0) {
        all.parts.push_back({.first_polygon = first_polygon, .object = name.name, .group = {}, .material = {}});
    }
    for (SurfacePart part : more.parts) {
        part.first_polygon += first_polygon;
        if (part.object.empty())
            part.object = name.name;
        else if (name.one_of_several)
            part.object = name.name + "." + part.object;
        all.parts.push_back(std::move(part));
    }
    for (const std::string& file : more.material_files) {
        if (std::find(all.material_files.begin(), all.material_files.end(), file) == all.material_files.end()) {
            all.material_files.push_back(file);
        }
    }
    append(skin.points, body.points, first_node);
    skin.embedded = skin.embedded || body.embedded;
    skin.farthest = std::max(skin.farthest, body.farthest);
}

} // namespace rubato
