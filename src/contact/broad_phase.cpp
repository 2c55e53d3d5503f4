#include "contact/broad_phase.hpp"

#include "base/parallel.hpp"
#include "contact/part_trees.hpp"

#include <algorithm>

namespace rubato {

struct BroadPhase::Trees {
    Trees(const CollisionSurface& surface, const PairRules& rules, const Vector& X)
        : parts(surface, rules, X)
    {
    }

    PartTrees parts;
    std::vector<std::vector<CandidatePair>> found; ///< by task
    std::vector<Index> buckets; ///< by kind and first primitive: where its pairs begin
};

namespace {

bool share_a_node(const Edge& a, const Edge& b) { return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]; }

/// Adds the pairs of primitives that two elements own and whose boxes overlap.
class PairsOfElements {
public:
    PairsOfElements(
        const CollisionSurface& surface, const PartTrees& trees, const Sweep& sweep, std::vector<CandidatePair>& out)
        : surface_(surface)
        , trees_(trees)
        , sweep_(sweep)
        , out_(out)
    {
    }

    void operator()(Index i, Index j) const
    {
        const TreeElement& a = trees_.element(i);
        const TreeElement& b = trees_.element(j);
        add_points<true>(a, b, trees_.box(j));
        add_points<false>(b, a, trees_.box(i));
        if (a.corners >= 2 && b.corners >= 2) add_edges(a, b, trees_.box(j));
        if (a.corners == 1 && b.corners == 1 && a.nodes[0] != b.nodes[0]) {
            const auto [first, second] = std::minmax(a.number, b.number);
            out_.push_back({PairKind::point_point, first, second});
        }
    }

private:
    /// Points of one element against the face, or the edge on no face, that the other one is. `swept`: it is the points
    /// whose boxes are swept.
    template <bool swept>
    void add_points(const TreeElement& points, const TreeElement& other, const Bounds& other_box) const
    {
        const bool is_face = other.corners == 3;
        if (!is_face && (other.corners == 1 || points.corners == 3)) return;
        const PairKind kind = is_face ? PairKind::point_triangle : PairKind::point_edge;
        for (int k = 0; k < points.corners; ++k) {
            if (!points.owns_point[k] || other.has_node(points.nodes[k])) continue;
            const Bounds& box = trees_.point_box(points.points[k]);
            if (swept ? overlap(box, other_box, sweep_) : overlap(other_box, box, sweep_)) {
                out_.push_back({kind, points.points[k], other.number});
            }
        }
    }

    Bounds edge_box(const TreeElement& e, int k) const
    {
        return hull(trees_.point_box(e.points[k]), trees_.point_box(e.points[k + 1 < e.corners ? k + 1 : 0]));
    }

    void add_edges(const TreeElement& a, const TreeElement& b, const Bounds& b_box) const
    {
        for (int k = 0; k < a.corners; ++k) {
            if (a.edges[k] < 0) continue;
            const Bounds box = edge_box(a, k);
            if (!overlap(box, b_box, sweep_)) continue;
            const Edge& nodes = surface_.edges[a.edges[k]];
            for (int l = 0; l < b.corners; ++l) {
                if (b.edges[l] < 0 || share_a_node(nodes, surface_.edges[b.edges[l]])) continue;
                if (!overlap(box, edge_box(b, l), sweep_)) continue;
                const auto [first, second] = std::minmax(a.edges[k], b.edges[l]);
                out_.push_back({PairKind::edge_edge, first, second});
            }
        }
    }

    const CollisionSurface& surface_;
    const PartTrees& trees_;
    const Sweep& sweep_;
    std::vector<CandidatePair>& out_;
};

/// Sorts what the first `tasks` lists hold: a counting sort by kind and first primitive, then the few pairs of each.
void sort_by_first(const CollisionSurface& surface, const std::vector<std::vector<CandidatePair>>& found,
    std::size_t tasks, std::vector<Index>& buckets, std::vector<CandidatePair>& out)
{
    const auto points = static_cast<Index>(surface.points.size());
    const auto edges = static_cast<Index>(surface.edges.size());
    const std::array<Index, 4> base = {0, points, points + edges, 2 * points + edges};
    auto bucket = [&](const CandidatePair& pair) { return base[static_cast<int>(pair.kind)] + pair.first; };

    buckets.assign(static_cast<std::size_t>(3 * points + edges + 2), 0);
    for (std::size_t task = 0; task < tasks; ++task) {
        for (const CandidatePair& pair : found[task]) ++buckets[bucket(pair) + 2];
    }
    for (std::size_t i = 2; i < buckets.size(); ++i) buckets[i] += buckets[i - 1];
    out.resize(static_cast<std::size_t>(buckets.back()));
    // Filling moves the beginning of each bucket, kept one place further on, to its end: the beginning of the next.
    for (std::size_t task = 0; task < tasks; ++task) {
        for (const CandidatePair& pair : found[task]) out[buckets[bucket(pair) + 1]++] = pair;
    }
    parallel_for(
        static_cast<Index>(buckets.size()) - 1,
        [&](Index i) { std::sort(out.begin() + buckets[i], out.begin() + buckets[i + 1]); }, 1024);
}

} // namespace

BroadPhase::BroadPhase(const CollisionSurface& surface, const PairRules& rules, const Vector& X)
    : surface_(surface)
    , rules_(rules)
    , trees_(std::make_unique<Trees>(surface, rules, X))
{
}

BroadPhase::~BroadPhase() = default;

void BroadPhase::candidates(const Vector& x, const Vector* p, double reach, std::vector<CandidatePair>& out)
{
    PartTrees& trees = trees_->parts;
    const std::vector<PartTrees::Task>& tasks = trees.tasks(x, p, reach);
    auto& found = trees_->found;
    if (found.size() < tasks.size()) found.resize(tasks.size()); // never fewer: they keep their memory
    parallel_for(
        static_cast<Index>(tasks.size()),
        [&](Index i) {
            found[i].clear();
            trees.for_element_pairs(tasks[i], PairsOfElements(surface_, trees, tasks[i].sweep, found[i]));
        },
        1);
    sort_by_first(surface_, found, tasks.size(), trees_->buckets, out);
}

} // namespace rubato
