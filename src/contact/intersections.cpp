#include "contact/intersections.hpp"

#include "base/parallel.hpp"
#include "contact/broad_phase.hpp"
#include "contact/crossing.hpp"
#include "contact/part_trees.hpp"

#include <algorithm>
#include <tuple>

namespace rubato {

namespace {

/// Edges that one element owns against the face that another one is.
void add_crossings(const CollisionSurface& surface, std::span<const PartTrees::OwnedEdge> edges,
    const TreeElement& other, const Vector& x, std::vector<Intersection>& out)
{
    if (other.corners < 3) return;
    const Vec3 a = node(x, other.nodes[0]), b = node(x, other.nodes[1]), c = node(x, other.nodes[2]);
    for (const auto& edge : edges) {
        if (other.has_node(edge.nodes[0]) || other.has_node(edge.nodes[1])) continue;
        const Vec3 p = node(x, edge.nodes[0]), q = node(x, edge.nodes[1]);
        if (!segment_meets_triangle(p, q, a, b, c)) continue;
        out.push_back({
            .kind = Intersection::Kind::edge_through_face,
            .part_a = surface.edge_part[edge.number],
            .part_b = surface.face_part[other.number],
            .first = edge.number,
            .second = other.number,
            .place = meeting_place(p, q, a, b, c),
        });
    }
}

void add_crossings(const CollisionSurface& surface, const PairRules& rules, const Vector& X, const Vector& x,
    std::vector<Intersection>& out)
{
    PartTrees trees(surface, rules, X);
    const auto& tasks = trees.tasks(x, nullptr, 0);
    std::vector<std::vector<Intersection>> found(tasks.size());
    parallel_for(
        static_cast<Index>(tasks.size()),
        [&](Index task) {
            trees.for_element_pairs(tasks[task], [&](Index i, Index j) {
                add_crossings(surface, trees.edges_of(i), trees.element(j), x, found[task]);
                add_crossings(surface, trees.edges_of(j), trees.element(i), x, found[task]);
            });
        },
        1);
    for (const auto& some : found) out.insert(out.end(), some.begin(), some.end());
}

void add_points_behind(
    const CollisionSurface& surface, const PairRules& rules, const Vector& x, std::vector<Intersection>& out)
{
    for (std::size_t h = 0; h < surface.half_spaces.size(); ++h) {
        const HalfSpace& solid = surface.half_spaces[h];
        for (std::size_t i = 0; i < surface.points.size(); ++i) {
            const Index part = surface.point_part[i];
            if (surface.parts[part].kinematic && surface.parts[solid.part].kinematic) continue;
            if (!rules.at(part, solid.part).touch) continue;
            const Vec3 place = node(x, surface.points[i]);
            if ((place - solid.point).dot(solid.normal) > surface.parts[part].radius) continue;
            out.push_back({
                .kind = Intersection::Kind::point_behind_half_space,
                .part_a = part,
                .part_b = solid.part,
                .first = static_cast<Index>(i),
                .second = static_cast<Index>(h),
                .place = place,
            });
        }
    }
}

/// Positions, numbers of parts and place of a pair of primitives.
struct PlacedPair {
    Corners corners;
    Index part_a, part_b;
    int of_first; ///< how many of the corners are the first primitive's
};

PlacedPair placed(const CollisionSurface& s, const CandidatePair& pair, const Vector& x)
{
    auto at = [&](Index i) -> Vec3 { return node(x, i); };
    const Vec3 none = Vec3::Zero();
    const auto& [kind, i, j] = pair;
    switch (kind) {
    case PairKind::point_triangle: {
        const auto& [a, b, c] = s.faces[j];
        return {{at(s.points[i]), at(a), at(b), at(c)}, s.point_part[i], s.face_part[j], 1};
    }
    case PairKind::edge_edge: {
        const auto& [a, b] = s.edges[i];
        const auto& [c, d] = s.edges[j];
        return {{at(a), at(b), at(c), at(d)}, s.edge_part[i], s.edge_part[j], 2};
    }
    case PairKind::point_edge: {
        const auto& [a, b] = s.edges[j];
        return {{at(s.points[i]), at(a), at(b), none}, s.point_part[i], s.edge_part[j], 1};
    }
    case PairKind::point_point: break;
    }
    return {{at(s.points[i]), at(s.points[j]), none, none}, s.point_part[i], s.point_part[j], 1};
}

void add_too_close(const CollisionSurface& surface, const PairRules& rules, const Vector& X, const Vector& x,
    std::vector<Intersection>& out)
{
    const bool thick = std::any_of(surface.parts.begin(), surface.parts.end(), [](auto& p) { return p.radius > 0; });
    if (!thick) return;
    std::vector<CandidatePair> pairs;
    BroadPhase(surface, rules, X).candidates(x, nullptr, 0, pairs);
    for (const CandidatePair& pair : pairs) {
        const PlacedPair at = placed(surface, pair, x);
        const double radii = surface.parts[at.part_a].radius + surface.parts[at.part_b].radius;
        if (radii == 0) continue; // their crossings are found above
        const Nearest near = nearest(pair.kind, at.corners);
        if (near.d2 > radii * radii) continue;
        Vec3 on_first = Vec3::Zero();
        for (int k = 0; k < at.of_first; ++k) on_first += near.weight[k] * at.corners[k];
        out.push_back({
            .kind = Intersection::Kind::too_close,
            .part_a = at.part_a,
            .part_b = at.part_b,
            .first = pair.first,
            .second = pair.second,
            .place = on_first - near.gap / 2,
            .pair = pair.kind,
        });
    }
}

} // namespace

std::vector<Intersection> intersections(
    const CollisionSurface& surface, const PairRules& rules, const Vector& X, const Vector& x)
{
    std::vector<Intersection> all;
    add_crossings(surface, rules, X, x, all);
    add_points_behind(surface, rules, x, all);
    add_too_close(surface, rules, X, x, all);
    std::sort(all.begin(), all.end(), [](const Intersection& l, const Intersection& r) {
        return std::tuple(l.kind, l.pair, l.first, l.second) < std::tuple(r.kind, r.pair, r.first, r.second);
    });
    return all;
}

} // namespace rubato
