#include "geometry/surface_check.hpp"

#include "base/joined_sets.hpp"
#include "geometry/fields/surface_edges.hpp"
#include "geometry/fields/triangle_crossing.hpp"
#include "geometry/listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rubato {

void ElementFindings::add(Index element)
{
    if (first.size() < most_listed) first.push_back(element);
    ++count;
}

void EdgeFindings::add(std::array<Index, 2> ends)
{
    if (first.size() < ElementFindings::most_listed) first.push_back(ends);
    ++count;
}

bool SurfaceReport::clean() const
{
    return closed() && !degenerate.any() && !duplicate.any() && !opposite.any() && !pinched.any() && inside_out == 0
        && !nested.any() && crossing == 0;
}

namespace {

int corner_at(const Triangle& t, Index vertex) { return t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2; }

/// Corners of triangles joined to fans around each vertex: corner k of kept triangle t is number 3 t + k.
JoinedSets fans_of(const SurfaceEdges& s)
{
    JoinedSets fans(3 * s.kept.size());
    for (const auto& edge : s.edges) {
        const Index t = s.uses[edge.first].triangle;
        for (Index u = edge.first + 1; u < edge.first + edge.count; ++u) {
            const Index other = s.uses[u].triangle;
            for (const Index v : edge.ends) {
                fans.join(3 * t + corner_at(s.corners[t], v), 3 * other + corner_at(s.corners[other], v));
            }
        }
    }
    return fans;
}

/// Follows the rim from edge to edge; where several pieces of surface meet in a vertex it stays in its fan.
std::vector<Hole> holes_of(const TriangleMesh& mesh, const SurfaceEdges& s, JoinedSets& fans)
{
    struct End {
        Index fan; ///< belongs to one vertex
        Index edge;
    };
    auto fan_at = [&](Index edge, int end) {
        const Index t = s.uses[s.edges[edge].first].triangle;
        return fans.root(3 * t + corner_at(s.corners[t], s.edges[edge].ends[end]));
    };
    std::vector<End> ends;
    for (Index e = 0; e < static_cast<Index>(s.edges.size()); ++e) {
        if (s.edges[e].count != 1) continue;
        ends.push_back({fan_at(e, 0), e});
        ends.push_back({fan_at(e, 1), e});
    }
    auto before = [](const End& a, const End& b) { return std::pair(a.fan, a.edge) < std::pair(b.fan, b.edge); };
    std::sort(ends.begin(), ends.end(), before);

    // The walk keeps the edges since its start; where it comes back to a vertex, what lies between is one hole.
    std::vector<bool> seen(s.edges.size(), false);
    std::vector<Index> position(mesh.nodes.size(), -1); // of a vertex on the walk: edges before it
    std::vector<Index> walk;
    std::vector<Index> stops;
    std::vector<Hole> holes;
    auto close = [&](std::size_t from) {
        if (from == walk.size()) return;
        Hole hole{.edges = static_cast<std::int64_t>(walk.size() - from), .vertex = stops[from]};
        for (std::size_t i = from; i < walk.size(); ++i) {
            const auto& [low, high] = s.edges[walk[i]].ends;
            hole.length += (mesh.nodes[high] - mesh.nodes[low]).norm();
            position[stops[i + 1]] = -1;
        }
        position[stops[from]] = static_cast<Index>(from);
        walk.resize(from);
        stops.resize(from + 1);
        holes.push_back(hole);
    };
    for (Index start = 0; start < static_cast<Index>(s.edges.size()); ++start) {
        if (s.edges[start].count != 1 || seen[start]) continue;
        stops = {s.edges[start].ends[0]};
        position[stops[0]] = 0;
        Index edge = start;
        int end = 1; // where the walk leaves the edge
        while (edge >= 0) {
            seen[edge] = true;
            const Index fan = fan_at(edge, end);
            const Index vertex = s.edges[edge].ends[end];
            walk.push_back(edge);
            stops.push_back(vertex);
            if (position[vertex] >= 0) {
                close(static_cast<std::size_t>(position[vertex]));
            } else {
                position[vertex] = static_cast<Index>(walk.size());
            }
            edge = -1;
            for (auto it = std::lower_bound(ends.begin(), ends.end(), End{fan, 0}, before);
                 it != ends.end() && it->fan == fan; ++it) {
                if (seen[it->edge]) continue;
                edge = it->edge;
                end = s.edges[edge].ends[0] == vertex ? 1 : 0;
                break;
            }
        }
        close(0); // a walk that ended elsewhere, at an edge of several triangles
        position[stops[0]] = -1;
    }
    std::stable_sort(holes.begin(), holes.end(), [](const Hole& a, const Hole& b) { return a.length > b.length; });
    return holes;
}

void add_pinched(SurfaceReport& r, const SurfaceEdges& s, JoinedSets& fans)
{
    std::vector<Index> fan_of(r.vertices, -1);
    std::vector<bool> pinched(r.vertices, false);
    for (Index t = 0; t < static_cast<Index>(s.kept.size()); ++t) {
        for (int k = 0; k < 3; ++k) {
            const Index v = s.corners[t][k];
            const Index fan = fans.root(3 * t + k);
            if (fan_of[v] >= 0 && fan_of[v] != fan) pinched[v] = true;
            fan_of[v] = fan;
        }
    }
    for (Index v = 0; v < r.vertices; ++v) {
        if (pinched[v]) r.pinched.add(v);
    }
}

void add_edges(SurfaceReport& r, const SurfaceEdges& s)
{
    JoinedSets pieces(s.kept.size());
    for (const auto& edge : s.edges) {
        if (edge.count == 1) r.rim.add(edge.ends);
        if (edge.count > 2) r.non_manifold.add(edge.ends);
        if (!s.consistent(edge)) r.inconsistent.add(edge.ends);
        for (Index u = edge.first + 1; u < edge.first + edge.count; ++u) {
            pieces.join(s.uses[edge.first].triangle, s.uses[u].triangle);
        }
    }
    for (Index t = 0; t < static_cast<Index>(s.kept.size()); ++t) r.components += pieces.root(t) == t;
}

} // namespace

SurfaceReport surface_report(const TriangleMesh& mesh)
{
    SurfaceReport r;
    r.vertices = static_cast<std::int64_t>(mesh.nodes.size());
    r.triangles = static_cast<std::int64_t>(mesh.triangles.size());
    const Bounds box = bounds(mesh.nodes);
    r.diagonal = box.diagonal();

    const SurfaceEdges s(mesh);
    std::vector<bool> used(mesh.nodes.size(), false);
    for (Index t = 0; t < r.triangles; ++t) {
        for (const Index v : mesh.triangles[t]) used[v] = true;
        const Vec3& a = mesh.nodes[mesh.triangles[t][0]];
        const Vec3& b = mesh.nodes[mesh.triangles[t][1]];
        const Vec3& c = mesh.nodes[mesh.triangles[t][2]];
        const Vec3 n = (b - a).cross(c - a);
        r.area += n.norm() / 2;
        r.signed_volume += (a - box.center()).dot(n) / 6;
        if (without_area(a, b, c)) r.degenerate.add(t);
        if (s.copies[t] == SurfaceEdges::Copy::same) r.duplicate.add(t);
        if (s.copies[t] == SurfaceEdges::Copy::opposite) r.opposite.add(t);
    }
    for (Index v = 0; v < r.vertices; ++v) {
        if (!used[v]) r.unreferenced.add(v);
        if (s.place[v] != v) r.coincident.add(v);
    }

    add_edges(r, s);
    JoinedSets fans = fans_of(s);
    add_pinched(r, s, fans);
    r.holes = holes_of(mesh, s, fans);

    const std::vector<SurfacePatch> patches = surface_patches(mesh, s);
    const PatchOrientation wanted = patch_orientation(mesh, s, patches);
    for (std::size_t i = 0; i < patches.size(); ++i) {
        r.one_sided += !patches[i].orientable;
        if (wanted.nested[i]) r.nested.add(s.kept[patches[i].triangles.front()]);
        if (!patches[i].closed || !patches[i].consistent()) continue;
        r.cavities += wanted.cavity[i] && !wanted.turn[i];
        if (!wanted.turn[i]) continue;
        ++r.inside_out;
        r.inside_out_triangles.add(s.kept[patches[i].triangles.front()]);
    }

    Crossings crossed = crossings(mesh, ElementFindings::most_listed);
    r.crossing = crossed.count;
    r.crossing_is_a_lower_bound = crossed.is_a_lower_bound;
    r.crossing_pairs = std::move(crossed.first);
    return r;
}

namespace {

/// "3, 8, 9 and 12 more", counted from 1
std::string listed(const ElementFindings& f)
{
    std::vector<std::string> first;
    for (const Index i : f.first) first.push_back(std::to_string(i + 1));
    return first_and_more(first, static_cast<std::size_t>(f.count));
}

std::string listed(const std::vector<std::array<Index, 2>>& pairs, std::int64_t count)
{
    std::vector<std::string> first;
    for (const auto& [a, b] : pairs) first.push_back(fmt::format("{}-{}", a + 1, b + 1));
    return first_and_more(first, static_cast<std::size_t>(count));
}

} // namespace

std::vector<std::string> lines(const SurfaceReport& r)
{
    std::vector<std::string> out;
    out.push_back(fmt::format("{}, {}, {}, area {:.6g} m^2, {}", counted(r.vertices, "vertex", "vertices"),
        counted(r.triangles, "triangle", "triangles"), counted(r.components, "component", "components"), r.area,
        r.closed() ? fmt::format("closed, volume {:.6g} m^3", r.signed_volume) : "not closed"));
    auto elements = [&](const ElementFindings& f, const char* what) {
        if (f.any()) out.push_back(fmt::format("{}: {} ({})", what, f.count, listed(f)));
    };
    auto edges = [&](const EdgeFindings& f, const char* what) {
        if (f.any()) out.push_back(fmt::format("{}: {} (vertices {})", what, f.count, listed(f.first, f.count)));
    };
    elements(r.unreferenced, "vertices of no triangle");
    elements(r.coincident, "vertices at the place of another");
    elements(r.degenerate, "triangles without area");
    elements(r.duplicate, "second copies of triangles");
    elements(r.opposite, "second copies of triangles, facing the other way");
    edges(r.rim, "edges of one triangle only");
    if (!r.holes.empty()) {
        std::vector<std::string> lengths;
        for (std::size_t i = 0; i < std::min(r.holes.size(), ElementFindings::most_listed); ++i) {
            lengths.push_back(fmt::format("{:.4g} m with {} at vertex {}", r.holes[i].length,
                counted(r.holes[i].edges, "edge", "edges"), r.holes[i].vertex + 1));
        }
        const std::size_t more = r.holes.size() - lengths.size();
        out.push_back(fmt::format("holes: {}, around {}{}", r.holes.size(), fmt::join(lengths, "; "),
            more > 0 ? fmt::format(" and {} more", more) : ""));
    }
    edges(r.non_manifold, "edges of more than two triangles");
    edges(r.inconsistent, "edges whose two triangles face opposite sides");
    elements(r.pinched, "vertices where pieces of surface only touch");
    if (r.inside_out > 0) {
        out.push_back(
            fmt::format("components inside out: {} (triangles {})", r.inside_out, listed(r.inside_out_triangles)));
    }
    if (r.nested.any()) {
        out.push_back(fmt::format("components within the solid of another, facing outward as well: {} (triangles {})",
            r.nested.count, listed(r.nested)));
    }
    if (r.one_sided > 0) out.push_back(fmt::format("pieces with one side only (not orientable): {}", r.one_sided));
    if (r.cavities > 0) out.push_back(fmt::format("cavities: {}", r.cavities));
    if (r.crossing > 0) {
        out.push_back(fmt::format("pairs of triangles that cross: {}{} (triangles {})",
            r.crossing_is_a_lower_bound ? "at least " : "", r.crossing, listed(r.crossing_pairs, r.crossing)));
    }
    return out;
}

} // namespace rubato
