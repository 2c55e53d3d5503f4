#include "base/joined_sets.hpp"
#include "geometry/fields/surface_edges.hpp"
#include "geometry/listing.hpp"
#include "geometry/surface_check.hpp"

#include <algorithm>

namespace rubato {

namespace {

/// Says "what" of so many elements, if there are any.
void tell(std::vector<std::string>& done, std::int64_t count, const char* one, const char* many)
{
    if (count > 0) done.push_back(counted(count, one, many));
}

/// Drops the wall between bodies that touch: triangles of which as many copies face one way as the other. Together they
/// turn no winding number, so without them the solid stays as it is. A wall (what hangs together through edges) goes
/// where other triangles close most of the edges that it leaves; where they would be a rim, one copy is a part of the
/// surface and the other a mistake.
void drop_walls(TriangleMesh& mesh, const SurfaceEdges& s, std::vector<std::string>& done)
{
    std::vector<int> facing(s.kept.size(), 0);
    for (std::size_t t = 0; t < s.copies.size(); ++t) {
        if (s.stands_for[t] >= 0) facing[s.stands_for[t]] += s.copies[t] == SurfaceEdges::Copy::opposite ? -1 : 1;
    }
    JoinedSets walls(s.kept.size());
    std::vector<Index> first_wall(s.edges.size(), -1); // a triangle of the wall at each edge
    for (std::size_t e = 0; e < s.edges.size(); ++e) {
        for (Index u = s.edges[e].first; u < s.edges[e].first + s.edges[e].count; ++u) {
            const Index t = s.uses[u].triangle;
            if (facing[t] != 0) continue;
            if (first_wall[e] < 0) first_wall[e] = t;
            walls.join(first_wall[e], t);
        }
    }
    std::vector<Index> closed_edges(s.kept.size(), 0); // of each wall, less the open ones
    for (std::size_t e = 0; e < s.edges.size(); ++e) {
        if (first_wall[e] < 0) continue;
        Index others = 0;
        for (Index u = s.edges[e].first; u < s.edges[e].first + s.edges[e].count; ++u) {
            others += facing[s.uses[u].triangle] != 0;
        }
        if (others > 0) closed_edges[walls.root(first_wall[e])] += others % 2 == 0 ? 1 : -1;
    }
    std::int64_t pairs = 0;
    std::vector<Triangle> triangles;
    for (std::size_t t = 0; t < s.copies.size(); ++t) {
        const Index i = s.stands_for[t];
        if (i >= 0 && facing[i] == 0 && closed_edges[walls.root(i)] > 0) {
            pairs += s.copies[t] == SurfaceEdges::Copy::opposite;
        } else {
            triangles.push_back(mesh.triangles[t]);
        }
    }
    tell(done, pairs, "pair of opposite triangles dropped where bodies touch",
        "pairs of opposite triangles dropped where bodies touch");
    mesh.triangles = std::move(triangles);
}

/// Triangles on the places of their corners, without those that have two corners at one place, second copies, and
/// those without area that close nothing.
std::int64_t drop_useless(TriangleMesh& mesh, const SurfaceEdges& s, std::vector<std::string>& done)
{
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
    SurfaceEdges s(mesh);
    if (std::find(s.copies.begin(), s.copies.end(), SurfaceEdges::Copy::opposite) != s.copies.end()) {
        drop_walls(mesh, s, what_was_done);
        s = SurfaceEdges(mesh);
    }
    const std::int64_t welded = drop_useless(mesh, s, what_was_done);
    orient(mesh, what_was_done);
    drop_unused_vertices(mesh, welded, what_was_done);
    return mesh;
}

} // namespace rubato
