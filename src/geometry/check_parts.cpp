/// What the check and the repair of meshes both look for.

#include "geometry/check.hpp"

#include <algorithm>
#include <span>

namespace rubato {

Index part_root(std::vector<Index>& parent, Index i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

std::vector<std::size_t> repeated_tets(const std::vector<Tet>& tets)
{
    std::vector<std::pair<Tet, std::size_t>> sorted(tets.size());
    for (std::size_t i = 0; i < tets.size(); ++i) {
        sorted[i] = {tets[i], i};
        std::sort(sorted[i].first.begin(), sorted[i].first.end());
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> repeats;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (sorted[i].first == sorted[i - 1].first) repeats.push_back(sorted[i].second);
    }
    std::sort(repeats.begin(), repeats.end());
    return repeats;
}

CoincidentNodes coincident_nodes(const std::vector<Vec3>& nodes)
{
    const auto less = [&](Index a, Index b) {
        return std::lexicographical_compare(nodes[a].data(), nodes[a].data() + 3, nodes[b].data(), nodes[b].data() + 3);
    };
    std::vector<Index> order(nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return less(a, b) || (!less(b, a) && a < b); });
    CoincidentNodes found;
    found.first.resize(nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && !less(order[i - 1], order[i]);
        found.first[order[i]] = same ? found.first[order[i - 1]] : order[i];
        if (same) found.later.push_back(static_cast<std::size_t>(order[i]));
    }
    std::sort(found.later.begin(), found.later.end());
    return found;
}

BoundaryContacts boundary_contacts(const std::vector<Triangle>& boundary, std::size_t node_count)
{
    BoundaryContacts contacts;
    std::vector<std::array<Index, 2>> edges;
    edges.reserve(3 * boundary.size());
    for (const Triangle& t : boundary) {
        for (int i = 0; i < 3; ++i) edges.push_back({std::min(t[i], t[(i + 1) % 3]), std::max(t[i], t[(i + 1) % 3])});
    }
    std::sort(edges.begin(), edges.end());
    std::vector<char> on_edge(node_count, 0);
    for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
        while (end < edges.size() && edges[end] == edges[begin]) ++end;
        if (end - begin <= 2) continue;
        contacts.edges.push_back(edges[begin]);
        on_edge[edges[begin][0]] = on_edge[edges[begin][1]] = 1;
    }

    // At each node: its triangles in fans. Two triangles are of one fan when they share an edge at the node, that is,
    // another node; so the fans are the connected parts of the graph whose edges are the sides opposite the node.
    std::vector<std::size_t> first(node_count + 1, 0);
    for (const Triangle& t : boundary) {
        for (const Index i : t) ++first[i + 1];
    }
    for (std::size_t i = 0; i < node_count; ++i) first[i + 1] += first[i];
    std::vector<std::array<Index, 2>> opposite(first[node_count]);
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (const Triangle& t : boundary) {
        for (int i = 0; i < 3; ++i) opposite[next[t[i]]++] = {t[(i + 1) % 3], t[(i + 2) % 3]};
    }
    std::vector<Index> parent(node_count);
    for (std::size_t node = 0; node < node_count; ++node) {
        if (first[node] == first[node + 1] || on_edge[node]) continue;
        const std::span<const std::array<Index, 2>> sides(opposite.data() + first[node], first[node + 1] - first[node]);
        for (const auto& [a, b] : sides) parent[a] = a, parent[b] = b;
        for (const auto& [a, b] : sides) parent[part_root(parent, a)] = part_root(parent, b);
        const Index root = part_root(parent, sides[0][0]);
        const auto elsewhere = [&](const std::array<Index, 2>& side) { return part_root(parent, side[0]) != root; };
        if (std::any_of(sides.begin(), sides.end(), elsewhere)) contacts.nodes.push_back(static_cast<Index>(node));
    }
    return contacts;
}

} // namespace rubato
