#include "geometry/fields/surface_edges.hpp"
#include "geometry/surface_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

namespace {

/// Says "what" of so many elements, if there are any.
void tell(std::vector<std::string>& done, std::int64_t count, const char* one, const char* many)
{
    if (count > 0) done.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
}

/// Triangles on the places of their corners, without those that have two corners at one place, second copies, and
/// those without area that close nothing.
std::int64_t drop_useless(TriangleMesh& mesh, std::vector<std::string>& done)
{
    const SurfaceEdges s(mesh);
    std::int64_t welded = 0;
    for (std::size_t v = 0; v < mesh.nodes.size(); ++v) welded += s.place[v] != static_cast<Index>(v);

    // A triangle without area that neighbours use on any side stays: without it they would have a rim there.
    std::vector<bool> needed(s.kept.size(), false);
    for (const auto& edge : s.edges) {
        for (Index u = edge.first; edge.count == 2 && u < edge.first + 2; ++u) needed[s.uses[u].triangle] = true;
    }
    std::vector<Triangle> triangles;
    std::int64_t idle = 0;
    for (std::size_t i = 0; i < s.kept.size(); ++i) {
        const auto& [a, b, c] = s.corners[i];
        if (!needed[i] && without_area(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c])) {
            ++idle;
        } else {
            triangles.push_back(s.corners[i]);
        }
    }
    const auto copies = std::count_if(
        s.copies.begin(), s.copies.end(), [](SurfaceEdges::Copy copy) { return copy != SurfaceEdges::Copy::none; });
    const auto all = static_cast<std::int64_t>(mesh.triangles.size());
    const auto collapsed = all - copies - static_cast<std::int64_t>(s.kept.size());
    tell(done, collapsed + idle, "triangle without area dropped", "triangles without area dropped");
    tell(done, copies, "second copy of a triangle dropped", "second copies of triangles dropped");
    mesh.triangles = std::move(triangles);
    return welded;
}

void orient(TriangleMesh& mesh, std::vector<std::string>& done)
{
    const SurfaceEdges s(mesh);
    const std::vector<SurfacePatch> patches = surface_patches(mesh, s);
    const PatchOrientation wanted = patch_orientation(mesh, s, patches);
    std::int64_t turned = 0;
    std::int64_t inside_out = 0;
    for (std::size_t i = 0; i < patches.size(); ++i) {
        inside_out += wanted.turn[i];
        for (std::size_t k = 0; k < patches[i].triangles.size(); ++k) {
            turned += patches[i].against[k];
            if (patches[i].against[k] == wanted.turn[i]) continue;
            Triangle& t = mesh.triangles[s.kept[patches[i].triangles[k]]];
            std::swap(t[1], t[2]);
        }
    }
    tell(done, turned, "triangle turned to face the side its neighbours face",
        "triangles turned to face the side their neighbours face");
    tell(done, inside_out, "piece of surface was inside out and has been turned",
        "pieces of surface were inside out and have been turned");
}

void drop_unused_vertices(TriangleMesh& mesh, std::int64_t welded, std::vector<std::string>& done)
{
    std::vector<Index> number(mesh.nodes.size(), -1);
    for (const Triangle& t : mesh.triangles) {
        for (const Index v : t) number[v] = 0;
    }
    std::vector<Vec3> nodes;
    for (std::size_t v = 0; v < number.size(); ++v) {
        if (number[v] < 0) continue;
        number[v] = static_cast<Index>(nodes.size());
        nodes.push_back(mesh.nodes[v]);
    }
    for (Triangle& t : mesh.triangles) {
        for (Index& v : t) v = number[v];
    }
    const auto gone = static_cast<std::int64_t>(mesh.nodes.size() - nodes.size());
    tell(done, std::min(welded, gone), "vertex welded to another at the same place",
        "vertices welded to others at the same place");
    tell(done, std::max<std::int64_t>(gone - welded, 0), "vertex of no triangle dropped",
        "vertices of no triangle dropped");
    mesh.nodes = std::move(nodes);
}

} // namespace

TriangleMesh mended(TriangleMesh mesh, std::vector<std::string>& what_was_done)
{
    const std::int64_t welded = drop_useless(mesh, what_was_done);
    orient(mesh, what_was_done);
    drop_unused_vertices(mesh, welded, what_was_done);
    return mesh;
}

} // namespace rubato
