#pragma once

#include "geometry/bounds.hpp"
#include "geometry/tet_mesh.hpp"

#include <array>
#include <limits>
#include <vector>

namespace rubato {

/// The point of a triangle that is nearest to some point, as weights of its corners (they add up to 1, none below 0).
Vec3 closest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// A bounding volume hierarchy over the triangles of a surface: which triangle is nearest to a point, which ones touch
/// a box. Triangles of no area are allowed. Double precision; the same answers on every run and with any number of
/// threads.
///
/// Layout: node 0 is the root; the children of an inner node stand side by side. Triangles are sorted so that every
/// node holds a consecutive piece of them, with their corners beside each other in memory.
class TriangleTree {
public:
    static constexpr double inf = std::numeric_limits<double>::infinity();

    struct Node {
        Vec3 low, high; ///< box around its triangles [m]
        Index first; ///< first triangle of a leaf, or the first of two children
        Index count; ///< number of triangles of a leaf; 0: an inner node
    };
    struct Corners {
        Vec3 a, b, c; ///< [m]
    };
    struct Closest {
        Index triangle = -1; ///< its number in the mesh; -1: none within reach
        Vec3 weights = Vec3::Zero(); ///< of its corners
        Vec3 point = Vec3::Zero(); ///< [m]
        double d2 = inf; ///< squared distance [m^2]
    };

    TriangleTree() = default;
    explicit TriangleTree(const TriangleMesh& mesh);

    /// Of the triangles closer than `within` [m].
    Closest closest(const Vec3& p, double within = inf) const;

    /// Calls visit(triangle) for each triangle whose box touches this one, until it returns false.
    template <class Visit>
    void for_touching(const Bounds& box, const Visit& visit) const;

    bool empty() const { return nodes_.empty(); }
    Bounds bounds() const; ///< zero for no triangles
    const std::vector<Node>& nodes() const { return nodes_; }
    const std::vector<Corners>& corners() const { return corners_; } ///< in the order of the tree
    const std::vector<Index>& triangles() const { return triangles_; } ///< their numbers in the mesh

private:
    static constexpr int deepest = 64; ///< halving the number of triangles at each level, 32 would do

    void build(Index node, Index begin, Index end, const std::vector<Vec3>& centroids);

    std::vector<Node> nodes_;
    std::vector<Corners> corners_;
    std::vector<Index> triangles_;
};

template <class Visit>
void TriangleTree::for_touching(const Bounds& box, const Visit& visit) const
{
    if (nodes_.empty()) return;
    auto touches = [&](const Vec3& low, const Vec3& high) {
        return (low.array() <= box.high.array()).all() && (high.array() >= box.low.array()).all();
    };
    std::array<Index, deepest> stack;
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
        const Node& node = nodes_[stack[--size]];
        if (!touches(node.low, node.high)) continue;
        if (node.count == 0) {
            stack[size++] = node.first + 1;
            stack[size++] = node.first;
            continue;
        }
        for (Index i = node.first; i < node.first + node.count; ++i) {
            const auto& [a, b, c] = corners_[i];
            const bool hit = touches(a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c));
            if (hit && !visit(triangles_[i])) return;
        }
    }
}

} // namespace rubato
