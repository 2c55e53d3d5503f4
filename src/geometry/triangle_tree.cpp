#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <numeric>

namespace rubato {

namespace {

constexpr Index leaf_size = 4; ///< most triangles of a leaf

/// The point of the segment from a to b nearest to p: weight of b.
double segment_weight(const Vec3& p, const Vec3& a, const Vec3& b)
{
    const double l2 = (b - a).squaredNorm();
    return l2 > 0 ? std::clamp((p - a).dot(b - a) / l2, 0.0, 1.0) : 0;
}

double squared_distance(const Vec3& p, const TriangleTree::Node& node)
{
    return (p - p.cwiseMax(node.low).cwiseMin(node.high)).squaredNorm();
}

/// For triangles without area: the nearest of their edges.
Vec3 closest_edge_weights(const Vec3& p, const std::array<Vec3, 3>& x)
{
    Vec3 best = Vec3::UnitX();
    double least = TriangleTree::inf;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const double t = segment_weight(p, x[i], x[j]);
        const double d2 = (p - (1 - t) * x[i] - t * x[j]).squaredNorm();
        if (d2 >= least) continue;
        least = d2;
        best.setZero();
        best[i] = 1 - t;
        best[j] = t;
    }
    return best;
}

} // namespace

// The plane is cut into the regions nearest to each corner, edge and the inside, by the signs of dot products
// (C. Ericson, Real-Time Collision Detection, 2005, section 5.1.5).
Vec3 closest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 ab = b - a;
    const Vec3 ac = c - a;
    const Vec3 ap = p - a;
    const double d1 = ab.dot(ap);
    const double d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};

    const Vec3 bp = p - b;
    const double d3 = ab.dot(bp);
    const double d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};

    const Vec3 cp = p - c;
    const double d5 = ab.dot(cp);
    const double d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};

    // Twice the areas of the parts that the foot of p cuts off, times twice the area of the triangle.
    const double part_a = d3 * d6 - d5 * d4;
    const double part_b = d5 * d2 - d1 * d6;
    const double part_c = d1 * d4 - d3 * d2;
    const double whole = part_a + part_b + part_c;
    const double longest = std::max(ab.squaredNorm(), ac.squaredNorm());
    if (!(whole > 1e-20 * longest * longest)) return closest_edge_weights(p, {a, b, c});

    if (part_c <= 0 && d1 >= 0 && d3 <= 0) {
        const double t = d1 / (d1 - d3);
        return {1 - t, t, 0};
    }
    if (part_b <= 0 && d2 >= 0 && d6 <= 0) {
        const double t = d2 / (d2 - d6);
        return {1 - t, 0, t};
    }
    if (part_a <= 0 && d4 >= d3 && d5 >= d6) {
        const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {0, 1 - t, t};
    }
    const double v = part_b / whole;
    const double w = part_c / whole;
    return Vec3(1 - v - w, v, w).cwiseMax(0);
}

TriangleTree::TriangleTree(const TriangleMesh& mesh)
    : triangles_(mesh.triangles.size())
{
    const auto n = static_cast<Index>(mesh.triangles.size());
    if (n == 0) return;
    std::iota(triangles_.begin(), triangles_.end(), 0);
    std::vector<Vec3> centroids(triangles_.size());
    corners_.resize(triangles_.size());
    for (Index i = 0; i < n; ++i) {
        const auto& [a, b, c] = mesh.triangles[i];
        corners_[i] = {mesh.nodes[a], mesh.nodes[b], mesh.nodes[c]};
        centroids[i] = (mesh.nodes[a] + mesh.nodes[b] + mesh.nodes[c]) / 3;
    }
    nodes_.reserve(triangles_.size());
    nodes_.emplace_back();
    build(0, 0, n, centroids);

    std::vector<Corners> sorted(corners_.size());
    for (Index i = 0; i < n; ++i) sorted[i] = corners_[triangles_[i]];
    corners_ = std::move(sorted);
}

void TriangleTree::build(Index node, Index begin, Index end, const std::vector<Vec3>& centroids)
{
    Vec3 low = Vec3::Constant(inf);
    Vec3 high = -low;
    Vec3 middle_low = low;
    Vec3 middle_high = high;
    for (Index i = begin; i < end; ++i) {
        const auto& [a, b, c] = corners_[triangles_[i]];
        low = low.cwiseMin(a).cwiseMin(b).cwiseMin(c);
        high = high.cwiseMax(a).cwiseMax(b).cwiseMax(c);
        middle_low = middle_low.cwiseMin(centroids[triangles_[i]]);
        middle_high = middle_high.cwiseMax(centroids[triangles_[i]]);
    }
    nodes_[node] = {low, high, begin, end - begin};
    if (end - begin <= leaf_size) return;

    // Half of the triangles to each side, across the longest side of the box of their middles.
    int axis = 0;
    (middle_high - middle_low).maxCoeff(&axis);
    const Index half = begin + (end - begin) / 2;
    std::nth_element(
        triangles_.begin() + begin, triangles_.begin() + half, triangles_.begin() + end, [&](Index i, Index j) {
            const double xi = centroids[i][axis];
            const double xj = centroids[j][axis];
            return xi < xj || (xi == xj && i < j);
        });
    const auto child = static_cast<Index>(nodes_.size());
    nodes_[node].first = child;
    nodes_[node].count = 0;
    nodes_.resize(nodes_.size() + 2);
    build(child, begin, half, centroids);
    build(child + 1, half, end, centroids);
}

Bounds TriangleTree::bounds() const { return empty() ? Bounds{} : Bounds{nodes_[0].low, nodes_[0].high}; }

TriangleTree::Closest TriangleTree::closest(const Vec3& p, double within) const
{
    Closest best;
    best.d2 = within * within;
    if (nodes_.empty()) return best;

    struct Waiting {
        Index node;
        double d2;
    };
    std::array<Waiting, deepest> stack;
    int size = 0;
    stack[size++] = {0, squared_distance(p, nodes_[0])};
    while (size > 0) {
        const Waiting next = stack[--size];
        if (next.d2 >= best.d2) continue;
        const Node& node = nodes_[next.node];
        if (node.count == 0) {
            Waiting near{node.first, squared_distance(p, nodes_[node.first])};
            Waiting far{node.first + 1, squared_distance(p, nodes_[node.first + 1])};
            if (far.d2 < near.d2) std::swap(near, far);
            if (far.d2 < best.d2) stack[size++] = far;
            if (near.d2 < best.d2) stack[size++] = near;
            continue;
        }
        for (Index i = node.first; i < node.first + node.count; ++i) {
            const auto& [a, b, c] = corners_[i];
            const Vec3 weights = closest_weights(p, a, b, c);
            const Vec3 point = weights[0] * a + weights[1] * b + weights[2] * c;
            const double d2 = (p - point).squaredNorm();
            if (d2 < best.d2) best = {triangles_[i], weights, point, d2};
        }
    }
    return best;
}

} // namespace rubato
