#include "contact/broad_phase.hpp"

#include "base/parallel.hpp"
#include "contact/part_trees.hpp"

#include <algorithm>
#include <atomic>

namespace rubato {

namespace {

/// A list to which many pairs are offered, few of them taken, without a branch for each: whether one is taken cannot be
/// foreseen, and a wrong guess would cost more than writing it.
class PairList {
public:
    void clear() { size_ = 0; }
    std::size_t size() const { return size_; }
    void make_room(std::size_t more)
    {
        if (size_ + more > pairs_.size()) pairs_.resize(2 * (size_ + more));
    }
    void add_if(bool taken, const CandidatePair& pair)
    {
        pairs_[size_] = pair;
        size_ += taken;
    }
    std::span<const CandidatePair> pairs() const { return {pairs_.data(), size_}; }

private:
    std::vector<CandidatePair> pairs_;
    std::size_t size_ = 0;
};

} // namespace

struct BroadPhase::Trees {
    Trees(const CollisionSurface& surface, const PairRules& rules, const Vector& X)
        : parts(surface, rules, X)
    {
    }

    PartTrees parts;
    std::vector<PairList> found; ///< by task
    std::vector<Index> buckets; ///< by kind and first primitive: where its pairs begin
};

namespace {

bool share_a_node(const Edge& a, const Edge& b) { return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]; }

/// Adds the pairs of primitives that two elements own and whose boxes overlap.
class PairsOfElements {
public:
    PairsOfElements(const PartTrees& trees, const Sweep& sweep, std::size_t most, PairList& out)
        : trees_(trees)
        , sweep_(sweep)
        , most_(most)
        , out_(out)
    {
    }

    void operator()(Index i, Index j) const
    {
        if (out_.size() > most_) return; // too many already: no memory for more of them
        const TreeElement& a = trees_.element(i);
        const TreeElement& b = trees_.element(j);
        out_.make_room(most_pairs);
        // Sweeping b the other way does the same as sweeping a.
        add_points(i, a, b, swept(trees_.box(j), {-sweep_.high, -sweep_.low}));
        add_points(j, b, a, swept(trees_.box(i), sweep_));
        for (const auto& first : trees_.edges_of(i)) {
            const Bounds box = swept(first.box, sweep_);
            for (const auto& second : trees_.edges_of(j)) {
                const auto [low, high] = std::minmax(first.number, second.number);
                out_.add_if(overlap(box, second.box) & !share_a_node(first.nodes, second.nodes),
                    {PairKind::edge_edge, low, high});
            }
        }
        if (a.corners == 1 && b.corners == 1) {
            const auto [low, high] = std::minmax(a.number, b.number);
            out_.add_if(a.nodes[0] != b.nodes[0], {PairKind::point_point, low, high});
        }
    }

private:
    static constexpr std::size_t most_pairs = 3 + 3 + 9 + 1;

    /// Points of element i against the face, or the edge on no face, that the other one is.
    void add_points(Index i, const TreeElement& element, const TreeElement& other, const Bounds& box) const
    {
        const bool is_face = other.corners == 3;
        if (!is_face && (other.corners == 1 || element.corners == 3)) return;
        const PairKind kind = is_face ? PairKind::point_triangle : PairKind::point_edge;
        for (const auto& point : trees_.points_of(i)) {
            out_.add_if(overlap(point.box, box) & !other.has_node(point.node), {kind, point.number, other.number});
        }
    }

    const PartTrees& trees_;
    const Sweep& sweep_;
    std::size_t most_;
    PairList& out_;
};

/// Sorts what the first `tasks` lists hold: a counting sort by kind and first primitive, then the few pairs of each.
void sort_by_first(const CollisionSurface& surface, const std::vector<PairList>& found, std::size_t tasks,
    std::vector<Index>& buckets, std::vector<CandidatePair>& out)
{
    const auto points = static_cast<Index>(surface.points.size());
    const auto edges = static_cast<Index>(surface.edges.size());
    const std::array<Index, 4> base = {0, points, points + edges, 2 * points + edges};
    auto bucket = [&](const CandidatePair& pair) { return base[static_cast<int>(pair.kind)] + pair.first; };

    buckets.assign(static_cast<std::size_t>(3 * points + edges + 2), 0);
    for (std::size_t task = 0; task < tasks; ++task) {
        for (const CandidatePair& pair : found[task].pairs()) ++buckets[bucket(pair) + 2];
    }
    for (std::size_t i = 2; i < buckets.size(); ++i) buckets[i] += buckets[i - 1];
    out.resize(static_cast<std::size_t>(buckets.back()));
    // Filling moves the beginning of each bucket, kept one place further on, to its end: the beginning of the next.
    for (std::size_t task = 0; task < tasks; ++task) {
        for (const CandidatePair& pair : found[task].pairs()) out[buckets[bucket(pair) + 1]++] = pair;
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

bool BroadPhase::candidates(const Vector& x, const Vector* p, double reach, std::vector<CandidatePair>& out,
    const WhichPairs& which, std::size_t most)
{
    PartTrees& trees = trees_->parts;
    const std::vector<PartTrees::Task>& tasks = trees.tasks(x, p, reach, which);
    auto& found = trees_->found;
    if (found.size() < tasks.size()) found.resize(tasks.size()); // never fewer: they keep their memory
    std::atomic<std::size_t> all{0}; // found by the tasks that are done; it only grows, so the answer is certain
    parallel_for(
        static_cast<Index>(tasks.size()),
        [&](Index i) {
            found[i].clear();
            if (all.load(std::memory_order_relaxed) > most) return;
            trees.for_element_pairs(tasks[i], PairsOfElements(trees, tasks[i].sweep, most, found[i]));
            all += found[i].size();
        },
        1);
    out.clear();
    if (all.load() > most) {
        found.clear(); // nor is it kept
        return false;
    }
    sort_by_first(surface_, found, tasks.size(), trees_->buckets, out);
    return true;
}

} // namespace rubato
