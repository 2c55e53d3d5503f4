/// What the check and the repair of meshes both look for.

#include "base/joined_sets.hpp"
#include "geometry/check.hpp"
#include "geometry/same_place.hpp"

#include <algorithm>
#include <span>

namespace rubato {

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
    CoincidentNodes found{{}, first_at_same_place(nodes)};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (found.first[i] != static_cast<Index>(i)) found.later.push_back(i);
    }
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
    JoinedSets fans(node_count);
    for (std::size_t node = 0; node < node_count; ++node) {
        if (first[node] == first[node + 1] || on_edge[node]) continue;
        const std::span<const std::array<Index, 2>> sides(opposite.data() + first[node], first[node + 1] - first[node]);
        for (const auto& [a, b] : sides) fans.set_apart(a), fans.set_apart(b);
        for (const auto& [a, b] : sides) fans.join(a, b);
        const Index root = fans.root(sides[0][0]);
        const auto elsewhere = [&](const std::array<Index, 2>& side) { return fans.root(side[0]) != root; };
        if (std::any_of(sides.begin(), sides.end(), elsewhere)) contacts.nodes.push_back(static_cast<Index>(node));
    }
    return contacts;
}

} // namespace rubato
