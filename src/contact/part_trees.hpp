#pragma once

#include "contact/broad_phase.hpp"
#include "contact/tree_elements.hpp"
#include "geometry/bounds.hpp"

#include <array>
#include <cassert>
#include <span>
#include <utility>
#include <vector>

/// Bounding volume hierarchies over the parts of a CollisionSurface: which of their elements may come close.
///
/// Boxes bound the way of an element as its own part sees it, relative to the part's mean displacement pbar:
///
///     box of a point     hull(x, x + p - pbar)
///     boxes of A and B   overlap, when A's is swept by pbar_A - pbar_B and widened by reach + radius_A + radius_B
///
/// so what two parts, or two places of one part, do in common does not make them meet. (Straight ways: relative to B, a
/// point of A moves by (p - pbar_A) + (pbar_A - pbar_B), and the boxes of two legs add up.)
///
/// Layout: the nodes of all trees in one table, those of a part side by side, children behind their parents and beside
/// each other; elements in the order of the leaves.
namespace rubato {

/// By how much the boxes of the first of two parts are to be widened.
struct Sweep {
    Vec3 low = Vec3::Zero(), high = Vec3::Zero(); ///< added to the lower and the upper corner [m]
};

inline Bounds swept(const Bounds& box, const Sweep& sweep) { return {box.low + sweep.low, box.high + sweep.high}; }

/// All six comparisons are made, for their outcome cannot be foreseen: a wrong guess would cost more. Two at a time, on
/// any processor.
inline bool overlap(const Bounds& a, const Bounds& b)
{
    typedef double Two __attribute__((vector_size(16), aligned(8)));
    const auto xy = [](const Vec3& corner) { return *reinterpret_cast<const Two*>(corner.data()); };
    const auto yes = (xy(a.low) <= xy(b.high)) & (xy(b.low) <= xy(a.high))
        & (Two{a.low[2], b.low[2]} <= Two{b.high[2], a.high[2]});
    return (yes[0] & yes[1]) != 0;
}

inline Bounds hull(const Bounds& a, const Bounds& b) { return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)}; }

class PartTrees {
public:
    PartTrees(const CollisionSurface& surface, const PairRules& rules, const Vector& X);

    /// Two subtrees whose elements are to be compared; the same one twice: with each other.
    struct Task {
        Index first, second; ///< tree nodes
        Sweep sweep;
    };

    /// Fits all boxes to positions x, or to the way from x to x + p, and finds the subtrees that may be closer than
    /// `reach` plus the radii of their parts, in pieces that keep a thread busy for a while. They do not depend on the
    /// number of threads.
    const std::vector<Task>& tasks(const Vector& x, const Vector* p, double reach, const WhichPairs& which = {});

    /// Calls visit(i, j) for all pairs of elements of a task whose boxes overlap: i of the first subtree, j of the
    /// second. Elements may share nodes.
    template <class Visit>
    void for_element_pairs(const Task& task, const Visit& visit) const;

    struct OwnedPoint {
        Bounds box;
        Index number; ///< in the CollisionSurface
        Index node;
    };
    struct OwnedEdge {
        Bounds box;
        Index number; ///< in the CollisionSurface
        Edge nodes;
    };
    const TreeElement& element(Index i) const { return elements_[i]; }
    const Bounds& box(Index element) const { return element_boxes_[element]; }
    std::span<const OwnedPoint> points_of(Index element) const
    {
        return {&points_[owned_[element].first_point], &points_[owned_[element + 1].first_point]};
    }
    std::span<const OwnedEdge> edges_of(Index element) const
    {
        return {&edges_[owned_[element].first_edge], &edges_[owned_[element + 1].first_edge]};
    }

private:
    static constexpr Index leaf_size = 8; ///< most elements of a leaf
    static constexpr Index task_size = 256; ///< most elements of a subtree of a task
    static constexpr int deepest = 128; ///< of a walk; the trees halve, so that 2 * 32 levels are the most

    struct Node {
        Bounds box;
        Index first; ///< first element of a leaf, or first of two children
        Index size; ///< number of elements below; a leaf has at most leaf_size

        bool is_leaf() const { return size <= leaf_size; }
    };
    using NodePair = std::pair<Index, Index>;

    /// Makes the subtree at `node` over the elements order[begin] to order[end - 1], which it sorts.
    void build(Index node, Index begin, Index end, const std::vector<Vec3>& centers, std::vector<Index>& order);
    void fit(const Vector& x, const Vector* p);
    void find_part_pairs(double reach, const std::vector<char>* wanted);
    void add_tasks(Index a, Index b, const Sweep& sweep);
    Sweep sweep_between(Index a, Index b, double reach) const;
    bool may_touch(Index a, Index b) const;

    /// What a pair of subtrees splits into, handed to push(first, second) where the boxes overlap.
    template <class Push>
    void split(const NodePair& pair, const Sweep& sweep, const Push& push) const;

    const CollisionSurface& surface_;
    const PairRules& rules_;
    std::vector<TreeElement> elements_;
    std::vector<Bounds> element_boxes_, point_boxes_;
    std::vector<Node> nodes_;
    struct Owned {
        Index first_point, first_edge;
    };
    std::vector<Owned> owned_; ///< by element, and the end
    std::vector<OwnedPoint> points_; ///< by element, and one more so that the end has an address
    std::vector<OwnedEdge> edges_; ///< likewise
    std::vector<Index> first_node_; ///< by part, and the end; a part without elements has no nodes
    std::vector<Index> part_points_, first_point_; ///< points by part

    std::vector<Vec3> mean_; ///< displacement of each part [m]
    std::vector<Bounds> ways_; ///< box of each part's whole motion in a frame common to all
    std::vector<Index> order_; ///< parts with elements, by ways_[].low along one axis
    std::vector<Task> tasks_;
};

template <class Push>
void PartTrees::split(const NodePair& pair, const Sweep& sweep, const Push& push) const
{
    const auto& [a, b] = pair;
    const Node& node_a = nodes_[a];
    const Node& node_b = nodes_[b];
    if (a == b) {
        push(node_a.first, node_a.first);
        push(node_a.first + 1, node_a.first + 1);
        if (overlap(swept(nodes_[node_a.first].box, sweep), nodes_[node_a.first + 1].box)) {
            push(node_a.first, node_a.first + 1);
        }
    } else if (node_b.is_leaf() || (!node_a.is_leaf() && node_a.size >= node_b.size)) {
        for (const Index child : {node_a.first, node_a.first + 1}) {
            if (overlap(swept(nodes_[child].box, sweep), node_b.box)) push(child, b);
        }
    } else {
        const Bounds box = swept(node_a.box, sweep);
        for (const Index child : {node_b.first, node_b.first + 1}) {
            if (overlap(box, nodes_[child].box)) push(a, child);
        }
    }
}

template <class Visit>
void PartTrees::for_element_pairs(const Task& task, const Visit& visit) const
{
    std::array<NodePair, deepest> stack;
    int waiting = 0;
    stack[waiting++] = {task.first, task.second};
    while (waiting > 0) {
        const NodePair pair = stack[--waiting];
        const Node& a = nodes_[pair.first];
        const Node& b = nodes_[pair.second];
        if (!a.is_leaf() || !b.is_leaf()) {
            split(pair, task.sweep, [&](Index first, Index second) {
                assert(waiting < deepest);
                stack[waiting++] = {first, second};
            });
            continue;
        }
        std::array<NodePair, leaf_size * leaf_size> found; // first all comparisons, then what is to be done
        int count = 0;
        for (Index i = a.first; i < a.first + a.size; ++i) {
            const Bounds box = swept(element_boxes_[i], task.sweep);
            for (Index j = pair.first == pair.second ? i + 1 : b.first; j < b.first + b.size; ++j) {
                found[count] = {i, j};
                count += overlap(box, element_boxes_[j]);
            }
        }
        for (int k = 0; k < count; ++k) visit(found[k].first, found[k].second);
    }
}

} // namespace rubato
