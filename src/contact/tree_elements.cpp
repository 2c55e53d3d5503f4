#include "contact/tree_elements.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace rubato {

namespace {

/// Finds points and edges of the surface by part and nodes.
class ByNodes {
public:
    explicit ByNodes(std::size_t size) { entries_.reserve(size); }

    void add(Index part, Index a, Index b, Index number)
    {
        entries_.push_back({{part, std::min(a, b), std::max(a, b)}, number});
    }
    void sort() { std::sort(entries_.begin(), entries_.end()); }
    Index number(Index part, Index a, Index b) const
    {
        const Key key{part, std::min(a, b), std::max(a, b)};
        const auto found = std::lower_bound(entries_.begin(), entries_.end(), std::pair{key, 0});
        assert(found != entries_.end() && found->first == key);
        return found->second;
    }

private:
    using Key = std::array<Index, 3>;
    std::vector<std::pair<Key, Index>> entries_;
};

/// Hands points and edges to the first element that asks for them.
class Owners {
public:
    explicit Owners(const CollisionSurface& surface)
        : points_(surface.points.size())
        , edges_(surface.edges.size())
        , point_owned_(surface.points.size(), 0)
        , edge_owned_(surface.edges.size(), 0)
    {
        for (std::size_t i = 0; i < surface.points.size(); ++i) {
            points_.add(surface.point_part[i], surface.points[i], surface.points[i], static_cast<Index>(i));
        }
        for (std::size_t i = 0; i < surface.edges.size(); ++i) {
            const auto& [a, b] = surface.edges[i];
            edges_.add(surface.edge_part[i], a, b, static_cast<Index>(i));
        }
        points_.sort();
        edges_.sort();
    }

    template <std::size_t n>
    TreeElement element(Index part, Index number, const std::array<Index, n>& nodes)
    {
        TreeElement e{.corners = static_cast<int>(n), .number = number};
        for (std::size_t k = 0; k < n; ++k) {
            e.nodes[k] = nodes[k];
            e.points[k] = points_.number(part, nodes[k], nodes[k]);
            e.owns_point[k] = std::exchange(point_owned_[e.points[k]], 1) == 0;
        }
        constexpr std::size_t edges = n == 3 ? 3 : n - 1;
        for (std::size_t k = 0; k < edges; ++k) {
            const Index edge = edges_.number(part, nodes[k], nodes[(k + 1) % n]);
            if (std::exchange(edge_owned_[edge], 1) == 0) e.edges[k] = edge;
        }
        return e;
    }

private:
    ByNodes points_, edges_;
    std::vector<char> point_owned_, edge_owned_;
};

} // namespace

std::vector<Index> first_of_parts(const std::vector<Index>& part_of, std::size_t parts)
{
    std::vector<Index> first(parts + 1, 0);
    for (const Index part : part_of) ++first[part + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
}

TreeElements tree_elements(const CollisionSurface& surface)
{
    Owners owners(surface);
    std::vector<TreeElement> mixed;
    std::vector<Index> part_of;
    auto add = [&](Index part, std::size_t number, const auto& nodes) {
        mixed.push_back(owners.element(part, static_cast<Index>(number), nodes));
        part_of.push_back(part);
    };
    for (std::size_t i = 0; i < surface.faces.size(); ++i) add(surface.face_part[i], i, surface.faces[i]);
    for (std::size_t i = 0; i < surface.edges.size(); ++i) {
        if (surface.edge_alone[i]) add(surface.edge_part[i], i, surface.edges[i]);
    }
    for (std::size_t i = 0; i < surface.points.size(); ++i) {
        if (surface.point_alone[i]) add(surface.point_part[i], i, std::array{surface.points[i]});
    }

    TreeElements sorted;
    sorted.first = first_of_parts(part_of, surface.parts.size());
    sorted.elements.resize(mixed.size());
    std::vector<Index> next(sorted.first.begin(), sorted.first.end() - 1);
    for (std::size_t i = 0; i < mixed.size(); ++i) sorted.elements[next[part_of[i]]++] = mixed[i];
    return sorted;
}

} // namespace rubato
