#include "geometry/quality.hpp"

#include "base/joined_sets.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <utility>

namespace rubato {

namespace {

using SortedEdge = std::pair<Index, Index>; ///< lower node first

std::vector<SortedEdge> edges_with_repeats(const std::vector<Triangle>& triangles)
{
    std::vector<SortedEdge> edges;
    edges.reserve(3 * triangles.size());
    for (const Triangle& t : triangles) {
        for (int k = 0; k < 3; ++k) edges.push_back(std::minmax(t[k], t[(k + 1) % 3]));
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

std::vector<SortedEdge> edges_of(const std::vector<Tet>& tets)
{
    std::vector<SortedEdge> edges;
    edges.reserve(6 * tets.size());
    for (const Tet& t : tets) {
        for (int i = 0; i < 4; ++i) {
            for (int j = i + 1; j < 4; ++j) edges.push_back(std::minmax(t[i], t[j]));
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

Index component_count(std::size_t nodes, const std::vector<Tet>& tets)
{
    JoinedSets pieces(nodes);
    std::vector<char> used(nodes, 0);
    for (const Tet& t : tets) {
        for (const Index v : t) {
            used[v] = 1;
            pieces.join(v, t[0]);
        }
    }
    Index count = 0;
    for (Index i = 0; i < static_cast<Index>(nodes); ++i) count += used[i] && pieces.root(i) == i;
    return count;
}

/// The boundary triangles at each node hang together by edges at that node.
bool has_one_fan_everywhere(std::size_t nodes, const std::vector<Triangle>& triangles)
{
    // Triangles at a node: as many links as triangles in one closed ring. Follow the ring and count.
    std::vector<std::vector<std::pair<Index, Index>>> rims(nodes); // next corner after each corner, seen from the node
    for (const Triangle& t : triangles) {
        for (int k = 0; k < 3; ++k) rims[t[k]].push_back({t[(k + 1) % 3], t[(k + 2) % 3]});
    }
    for (auto& rim : rims) {
        if (rim.empty()) continue;
        std::sort(rim.begin(), rim.end());
        std::size_t length = 0;
        Index at = rim[0].first;
        do {
            const auto next = std::lower_bound(rim.begin(), rim.end(), std::pair<Index, Index>{at, -1});
            if (next == rim.end() || next->first != at) return false;
            at = next->second;
            ++length;
        } while (at != rim[0].first && length <= rim.size());
        if (length != rim.size()) return false;
    }
    return true;
}

} // namespace

MeshQuality mesh_quality(const TetMesh& mesh)
{
    MeshQuality q;
    q.nodes = static_cast<Index>(mesh.nodes.size());
    q.tets = static_cast<Index>(mesh.tets.size());
    q.smallest_dihedral = 180;
    std::vector<double> volumes(mesh.tets.size());
    for (Index e = 0; e < q.tets; ++e) {
        const Tet& t = mesh.tets[e];
        const Vec3 &a = mesh.nodes[t[0]], &b = mesh.nodes[t[1]], &c = mesh.nodes[t[2]], &d = mesh.nodes[t[3]];
        volumes[e] = det_of_edges(a, b, c, d) / 6;
        const std::array<Vec3, 4> n
            = {(c - b).cross(d - b), (d - a).cross(c - a), (b - a).cross(d - a), (c - a).cross(b - a)};
        for (int i = 0; i < 4; ++i) {
            for (int j = i + 1; j < 4; ++j) {
                const double angle = std::atan2(n[i].cross(n[j]).norm(), -n[i].dot(n[j])) * 180 / M_PI;
                ++q.dihedral_histogram[std::clamp(static_cast<int>(angle / 10), 0, MeshQuality::bins - 1)];
                if (angle < q.smallest_dihedral) q.smallest_dihedral = angle, q.smallest_dihedral_tet = e;
                if (angle > q.largest_dihedral) q.largest_dihedral = angle, q.largest_dihedral_tet = e;
            }
        }
    }
    if (q.tets == 0) q.smallest_dihedral = 0;
    q.volume = ordered_sum(volumes);

    const auto edges = edges_of(mesh.tets);
    q.shortest_edge = edges.empty() ? 0 : INFINITY;
    for (const auto& [a, b] : edges) {
        const double l = (mesh.nodes[a] - mesh.nodes[b]).norm();
        q.shortest_edge = std::min(q.shortest_edge, l);
        q.longest_edge = std::max(q.longest_edge, l);
        q.mean_edge += l / static_cast<double>(edges.size());
    }

    const auto triangles = boundary_triangles(mesh.tets);
    q.boundary_triangles = static_cast<Index>(triangles.size());
    q.components = component_count(mesh.nodes.size(), mesh.tets);
    q.boundary_closed = !triangles.empty();
    q.boundary_manifold = !triangles.empty();
    const auto sides = edges_with_repeats(triangles);
    long boundary_edges = 0, boundary_nodes = 0;
    for (std::size_t i = 0, j = 0; i < sides.size(); i = j) {
        while (j < sides.size() && sides[j] == sides[i]) ++j;
        ++boundary_edges;
        q.mean_boundary_edge += (mesh.nodes[sides[i].first] - mesh.nodes[sides[i].second]).norm();
        if ((j - i) % 2 != 0) q.boundary_closed = false;
        if (j - i != 2) q.boundary_manifold = false;
    }
    if (boundary_edges > 0) q.mean_boundary_edge /= static_cast<double>(boundary_edges);
    q.boundary_manifold = q.boundary_manifold && has_one_fan_everywhere(mesh.nodes.size(), triangles);
    std::vector<char> on_boundary(mesh.nodes.size(), 0);
    for (const Triangle& t : triangles) {
        for (const Index v : t) on_boundary[v] = 1;
    }
    for (const char on : on_boundary) boundary_nodes += on;
    q.euler_number = boundary_nodes - boundary_edges + static_cast<long>(triangles.size());
    return q;
}

} // namespace rubato
