#include "contact/part_trees.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rubato {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// Positions and displacements are rounded before boxes are made of them; boxes grow by this part of the largest.
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();

Bounds nothing() { return {Vec3::Constant(inf), Vec3::Constant(-inf)}; }

bool is_wanted(const std::vector<char>* wanted, Index part)
{
    return wanted == nullptr || (*wanted)[static_cast<std::size_t>(part)] != 0;
}

double largest_coordinate(const Bounds& box)
{
    return std::max(box.low.cwiseAbs().maxCoeff(), box.high.cwiseAbs().maxCoeff());
}

} // namespace

PartTrees::PartTrees(const CollisionSurface& surface, const PairRules& rules, const Vector& X)
    : surface_(surface)
    , rules_(rules)
    , point_boxes_(surface.points.size())
    , first_point_(first_of_parts(surface.point_part, surface.parts.size()))
    , mean_(surface.parts.size(), Vec3::Zero())
    , ways_(surface.parts.size())
{
    part_points_.resize(surface.points.size());
    std::vector<Index> next(first_point_.begin(), first_point_.end() - 1);
    for (std::size_t i = 0; i < surface.points.size(); ++i) {
        part_points_[next[surface.point_part[i]]++] = static_cast<Index>(i);
    }

    const auto [elements, first] = tree_elements(surface);
    std::vector<Vec3> centers(elements.size(), Vec3::Zero());
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const TreeElement& e = elements[i];
        for (int k = 0; k < e.corners; ++k) centers[i] += node(X, e.nodes[k]) / e.corners;
    }
    std::vector<Index> order(elements.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t part = 0; part < surface.parts.size(); ++part) {
        first_node_.push_back(static_cast<Index>(nodes_.size()));
        if (first[part] == first[part + 1]) continue;
        order_.push_back(static_cast<Index>(part));
        nodes_.emplace_back();
        build(first_node_.back(), first[part], first[part + 1], centers, order);
    }
    first_node_.push_back(static_cast<Index>(nodes_.size()));
    elements_.reserve(elements.size());
    for (const Index i : order) {
        const TreeElement& e = elements_.emplace_back(elements[i]);
        owned_.push_back({static_cast<Index>(points_.size()), static_cast<Index>(edges_.size())});
        for (int k = 0; k < e.corners; ++k) {
            if (e.owns_point[k]) points_.push_back({{}, e.points[k], e.nodes[k]});
            if (e.edges[k] >= 0) edges_.push_back({{}, e.edges[k], surface.edges[e.edges[k]]});
        }
    }
    owned_.push_back({static_cast<Index>(points_.size()), static_cast<Index>(edges_.size())});
    points_.emplace_back();
    edges_.emplace_back();
    element_boxes_.resize(elements.size());
}

void PartTrees::build(Index node, Index begin, Index end, const std::vector<Vec3>& centers, std::vector<Index>& order)
{
    nodes_[node] = {nothing(), begin, end - begin};
    if (nodes_[node].is_leaf()) return;

    // Half of the elements to each side, across the longest side of the box of their centres.
    Bounds box = nothing();
    for (Index i = begin; i < end; ++i) box = hull(box, {centers[order[i]], centers[order[i]]});
    int axis = 0;
    box.size().maxCoeff(&axis);
    const Index half = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin, order.begin() + half, order.begin() + end, [&](Index i, Index j) {
        return std::pair{centers[i][axis], i} < std::pair{centers[j][axis], j};
    });
    const auto child = static_cast<Index>(nodes_.size());
    nodes_[node].first = child;
    nodes_.resize(nodes_.size() + 2);
    build(child, begin, half, centers, order);
    build(child + 1, half, end, centers, order);
}

void PartTrees::fit(const Vector& x, const Vector* p)
{
    const auto parts = static_cast<Index>(surface_.parts.size());
    if (p) {
        parallel_for(parts, [&](Index part) {
            Vec3 sum = Vec3::Zero();
            const Index begin = first_point_[part];
            const Index end = first_point_[part + 1];
            for (Index i = begin; i < end; ++i) sum += node(*p, surface_.points[part_points_[i]]);
            mean_[part] = sum / std::max(end - begin, 1);
        });
    } else {
        std::fill(mean_.begin(), mean_.end(), Vec3::Zero());
    }
    parallel_for(
        static_cast<Index>(point_boxes_.size()),
        [&](Index i) {
            const Vec3 here = node(x, surface_.points[i]);
            const Vec3 there = p ? Vec3(here + (node(*p, surface_.points[i]) - mean_[surface_.point_part[i]])) : here;
            point_boxes_[i] = {here.cwiseMin(there), here.cwiseMax(there)};
        },
        512);
    parallel_for(
        static_cast<Index>(elements_.size()),
        [&](Index i) {
            const TreeElement& e = elements_[i];
            Bounds box = nothing();
            auto [point, edge] = owned_[i];
            for (int k = 0; k < e.corners; ++k) {
                const Bounds& corner = point_boxes_[e.points[k]];
                box = hull(box, corner);
                if (e.owns_point[k]) points_[point++].box = corner;
                if (e.edges[k] >= 0) edges_[edge++].box = hull(corner, point_boxes_[e.points[(k + 1) % e.corners]]);
            }
            element_boxes_[i] = box;
        },
        512);
    parallel_for(
        parts,
        [&](Index part) {
            for (Index n = first_node_[part + 1] - 1; n >= first_node_[part]; --n) { // children before parents
                Node& tree = nodes_[n];
                if (tree.is_leaf()) {
                    tree.box = element_boxes_[tree.first];
                    for (Index i = 1; i < tree.size; ++i) tree.box = hull(tree.box, element_boxes_[tree.first + i]);
                } else {
                    tree.box = hull(nodes_[tree.first].box, nodes_[tree.first + 1].box);
                }
            }
        },
        4);
}

bool PartTrees::may_touch(Index a, Index b) const
{
    return !(surface_.parts[a].kinematic && surface_.parts[b].kinematic) && rules_.at(a, b).touch;
}

Sweep PartTrees::sweep_between(Index a, Index b, double reach) const
{
    const Vec3 d = mean_[a] - mean_[b];
    const double size = largest_coordinate(nodes_[first_node_[a]].box) + largest_coordinate(nodes_[first_node_[b]].box)
        + mean_[a].cwiseAbs().maxCoeff() + mean_[b].cwiseAbs().maxCoeff();
    const double wide = reach + surface_.parts[a].radius + surface_.parts[b].radius + rounding * size;
    return {d.cwiseMin(0).array() - wide, d.cwiseMax(0).array() + wide};
}

const std::vector<PartTrees::Task>& PartTrees::tasks(
    const Vector& x, const Vector* p, double reach, const WhichPairs& which)
{
    fit(x, p);
    tasks_.clear();
    for (const Index part : order_) {
        if (is_wanted(which.within, part) && may_touch(part, part)) {
            add_tasks(part, part, sweep_between(part, part, reach));
        }
    }
    find_part_pairs(reach, which.between);
    return tasks_;
}

// Sweep and prune along the axis on which the parts spread most. Parts that meet as each other sees them also meet in
// any common frame (at some moment they are at one place, so the boxes of their ways overlap): one box for each will do
// before the pair is looked at more closely. The frame moves with the mean of the parts that can move.
void PartTrees::find_part_pairs(double reach, const std::vector<char>* wanted)
{
    if (std::none_of(order_.begin(), order_.end(), [&](Index part) { return is_wanted(wanted, part); })) return;
    Vec3 common = Vec3::Zero();
    Index moving = 0;
    for (const Index part : order_) {
        if (surface_.parts[part].kinematic) continue;
        common += mean_[part];
        ++moving;
    }
    common /= std::max(moving, 1);

    Vec3 sum = Vec3::Zero(), squares = Vec3::Zero();
    for (const Index part : order_) {
        const Bounds& box = nodes_[first_node_[part]].box;
        const Vec3 d = mean_[part] - common;
        const double size = largest_coordinate(box) + d.cwiseAbs().maxCoeff() + mean_[part].cwiseAbs().maxCoeff();
        const double wide = reach / 2 + surface_.parts[part].radius + 2 * rounding * size;
        ways_[part].low = box.low + d.cwiseMin(0) - Vec3::Constant(wide);
        ways_[part].high = box.high + d.cwiseMax(0) + Vec3::Constant(wide);
        for (int k = 0; k < 3; ++k) {
            if (std::isnan(ways_[part].low[k])) ways_[part].low[k] = -inf; // it could not be sorted
        }
        sum += box.center();
        squares += box.center().cwiseAbs2();
    }
    const auto n = static_cast<double>(order_.size());
    int axis = 0;
    (squares / n - (sum / n).cwiseAbs2()).maxCoeff(&axis);

    std::sort(order_.begin(), order_.end(), [&](Index a, Index b) {
        return std::pair{ways_[a].low[axis], a} < std::pair{ways_[b].low[axis], b};
    });
    for (std::size_t i = 0; i < order_.size(); ++i) {
        for (std::size_t j = i + 1; j < order_.size(); ++j) {
            if (ways_[order_[j]].low[axis] > ways_[order_[i]].high[axis]) break;
            const auto [a, b] = std::minmax(order_[i], order_[j]);
            if (!is_wanted(wanted, a) && !is_wanted(wanted, b)) continue;
            if (!overlap(ways_[a], ways_[b]) || !may_touch(a, b)) continue;
            const Sweep sweep = sweep_between(a, b, reach);
            if (overlap(swept(nodes_[first_node_[a]].box, sweep), nodes_[first_node_[b]].box)) add_tasks(a, b, sweep);
        }
    }
}

void PartTrees::add_tasks(Index a, Index b, const Sweep& sweep)
{
    std::array<NodePair, deepest> stack;
    int waiting = 0;
    stack[waiting++] = {first_node_[a], first_node_[b]};
    while (waiting > 0) {
        const NodePair pair = stack[--waiting];
        if (std::max(nodes_[pair.first].size, nodes_[pair.second].size) <= task_size) {
            tasks_.push_back({pair.first, pair.second, sweep});
            continue;
        }
        split(pair, sweep, [&](Index first, Index second) {
            assert(waiting < deepest);
            stack[waiting++] = {first, second};
        });
    }
}

} // namespace rubato
