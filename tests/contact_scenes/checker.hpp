#pragma once

#include "base/types.hpp"
#include "contact_scenes/segments_and_triangles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// A judge of configurations that shares no code with the engine's contact: does any edge pass through a triangle, is
/// any tetrahedron turned inside out, is anything inside of something else? Slower and simpler than the engine, in
/// 80-bit arithmetic.
namespace rubato::test {

struct CheckedScene {
    struct Solid {
        Vec3 point = Vec3::Zero(); ///< on its rim [m]
        Vec3 normal = Vec3::UnitY(); ///< out of it
    };
    struct Round {
        Index a = 0, b = 0; ///< nodes at the ends of a capsule; the same one twice: a sphere
        double radius = 0; ///< [m]
    };
    struct Shell {
        std::size_t first = 0, count = 0; ///< its triangles: a closed surface that faces outward
        Index inside = 0; ///< one of its nodes
    };
    std::vector<std::array<Index, 3>> triangles;
    std::vector<char> ignored; ///< by triangle, may be empty: pairs of two such triangles are not compared
    std::vector<std::array<Index, 4>> tets;
    std::vector<Solid> half_spaces; ///< no node of a triangle may be in or on them, but for ignored triangles
    std::vector<Round> rounds; ///< no triangle may be closer to them than their radius, but for ignored ones
    std::vector<Shell> shells; ///< none may have another one's node within, unless both consist of ignored triangles
};

struct Verdict {
    long intersections = 0; ///< edges through triangles, and triangles in spheres and capsules
    long inversions = 0; ///< tetrahedra of no positive volume
    long below = 0; ///< nodes in half-spaces
    long swallowed = 0; ///< things wholly inside of others
    std::string first; ///< the first fault, in words

    bool clean() const { return intersections == 0 && inversions == 0 && below == 0 && swallowed == 0; }
};

namespace checker {

struct Box {
    std::array<double, 3> low, high;
};

inline bool overlap(const Box& a, const Box& b)
{
    for (int k = 0; k < 3; ++k) {
        if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
    }
    return true;
}

class Judge {
public:
    Judge(const CheckedScene& scene, const Vector& x)
        : scene_(scene)
        , x_(x)
    {
    }

    Verdict verdict()
    {
        for (Index i = 0; i < x_.size() / 3; ++i) {
            if (!node(x_, i).allFinite()) fault(verdict_.intersections, "node {} is nowhere", i);
        }
        if (!verdict_.clean()) return verdict_;
        find_crossings();
        find_inversions();
        find_below();
        find_in_rounds();
        find_swallowed();
        return verdict_;
    }

private:
    bool ignored(std::size_t triangle) const { return !scene_.ignored.empty() && scene_.ignored[triangle]; }

    Corners corners(std::size_t triangle) const
    {
        const auto& [a, b, c] = scene_.triangles[triangle];
        return {at(x_, a), at(x_, b), at(x_, c)};
    }

    template <class... Args>
    void fault(long& count, fmt::format_string<Args...> words, Args&&... args)
    {
        if (verdict_.clean()) verdict_.first = fmt::format(words, std::forward<Args>(args)...);
        ++count;
    }

    /// Edge k of triangle i against triangle j, which is in a box.
    void compare(std::size_t i, int k, std::size_t j, const Box& box)
    {
        const Index from = scene_.triangles[i][k], to = scene_.triangles[i][(k + 1) % 3];
        for (int axis = 0; axis < 3; ++axis) {
            const auto [low, high] = std::minmax(x_[3 * from + axis], x_[3 * to + axis]);
            if (low > box.high[axis] || high < box.low[axis]) return;
        }
        for (const Index corner : scene_.triangles[j]) {
            if (corner == from || corner == to) return;
        }
        if (!segment_meets_triangle(at(x_, from), at(x_, to), corners(j))) return;
        const auto& [a, b, c] = scene_.triangles[j];
        fault(verdict_.intersections, "edge {}-{} of triangle {} meets triangle {} ({}, {}, {}) near ({}, {}, {})",
            from, to, i, j, a, b, c, node(x_, from)[0], node(x_, from)[1], node(x_, from)[2]);
    }

    /// Triangles sorted along the axis on which they spread most; every edge is compared by the first that has it.
    void find_crossings()
    {
        const std::size_t n = scene_.triangles.size();
        std::vector<Box> boxes(n);
        std::vector<std::array<bool, 3>> has_edge(n);
        std::set<std::pair<Index, Index>> known;
        std::array<double, 3> sum = {}, squares = {};
        for (std::size_t i = 0; i < n; ++i) {
            const auto& t = scene_.triangles[i];
            for (int k = 0; k < 3; ++k) {
                const double a = node(x_, t[0])[k], b = node(x_, t[1])[k], c = node(x_, t[2])[k];
                boxes[i].low[k] = std::min({a, b, c});
                boxes[i].high[k] = std::max({a, b, c});
                sum[k] += a / static_cast<double>(n);
                squares[k] += a * a / static_cast<double>(n);
                has_edge[i][k] = known.insert(std::minmax({t[k], t[(k + 1) % 3]})).second;
            }
        }
        int axis = 0;
        for (int k = 1; k < 3; ++k) {
            if (squares[k] - sum[k] * sum[k] > squares[axis] - sum[axis] * sum[axis]) axis = k;
        }
        std::vector<std::size_t> order(n);
        for (std::size_t i = 0; i < n; ++i) order[i] = i;
        std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return boxes[i].low[axis] < boxes[j].low[axis]; });
        std::vector<Box> sorted(n);
        for (std::size_t i = 0; i < n; ++i) sorted[i] = boxes[order[i]];
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n && sorted[j].low[axis] <= sorted[i].high[axis]; ++j) {
                if (!overlap(sorted[i], sorted[j]) || (ignored(order[i]) && ignored(order[j]))) continue;
                for (int k = 0; k < 3; ++k) {
                    if (has_edge[order[i]][k]) compare(order[i], k, order[j], sorted[j]);
                    if (has_edge[order[j]][k]) compare(order[j], k, order[i], sorted[i]);
                }
            }
        }
    }

    void find_inversions()
    {
        for (std::size_t i = 0; i < scene_.tets.size(); ++i) {
            const auto& [a, b, c, d] = scene_.tets[i];
            const Point origin = at(x_, a);
            const Real volume = (at(x_, b) - origin).dot(cross(at(x_, c) - origin, at(x_, d) - origin)) / 6;
            if (!(volume > 0))
                fault(verdict_.inversions, "tetrahedron {} has the volume {}", i, static_cast<double>(volume));
        }
    }

    void find_below()
    {
        std::set<Index> nodes;
        for (std::size_t i = 0; i < scene_.triangles.size(); ++i) {
            if (!ignored(i)) nodes.insert(scene_.triangles[i].begin(), scene_.triangles[i].end());
        }
        for (std::size_t h = 0; h < scene_.half_spaces.size(); ++h) {
            const Point point = scene_.half_spaces[h].point.cast<Real>(),
                        normal = scene_.half_spaces[h].normal.cast<Real>();
            for (const Index i : nodes) {
                const Real height = (at(x_, i) - point).dot(normal);
                if (!(height > 0))
                    fault(verdict_.below, "node {} is at {} m over half-space {}", i, static_cast<double>(height), h);
            }
        }
    }

    void find_in_rounds()
    {
        for (std::size_t r = 0; r < scene_.rounds.size(); ++r) {
            const auto& [a, b, radius] = scene_.rounds[r];
            for (std::size_t i = 0; i < scene_.triangles.size(); ++i) {
                if (ignored(i)) continue;
                const Real d = std::sqrt(squared_distance(at(x_, a), at(x_, b), corners(i)));
                if (!(d > radius))
                    fault(verdict_.intersections, "triangle {} is at {} m from the middle of round {}", i,
                        static_cast<double>(d), r);
            }
        }
    }

    /// How often a shell winds around a point: the solid angles of its triangles (Van Oosterom and Strackee 1983) over
    /// 4 pi.
    Real winding(const CheckedScene::Shell& shell, const Point& point) const
    {
        Real sum = 0;
        for (std::size_t i = shell.first; i < shell.first + shell.count; ++i) {
            const Corners t = corners(i);
            const Point a = t[0] - point, b = t[1] - point, c = t[2] - point;
            const Real A = a.norm(), B = b.norm(), C = c.norm();
            sum += std::atan2(a.dot(cross(b, c)), A * B * C + a.dot(b) * C + a.dot(c) * B + b.dot(c) * A);
        }
        return sum / (2 * std::numbers::pi_v<Real>);
    }

    void find_swallowed()
    {
        const auto unmoved = [&](const CheckedScene::Shell& s) { return ignored(s.first); };
        for (std::size_t outer = 0; outer < scene_.shells.size(); ++outer) {
            for (std::size_t inner = 0; inner < scene_.shells.size(); ++inner) {
                const auto &out = scene_.shells[outer], &in = scene_.shells[inner];
                if (inner == outer || (unmoved(out) && unmoved(in))) continue;
                if (winding(out, at(x_, in.inside)) > Real(0.5))
                    fault(verdict_.swallowed, "shell {} is inside of shell {}", inner, outer);
            }
        }
    }

    const CheckedScene& scene_;
    const Vector& x_;
    Verdict verdict_;
};

} // namespace checker

/// What is wrong when the nodes are at x.
inline Verdict verdict(const CheckedScene& scene, const Vector& x) { return checker::Judge(scene, x).verdict(); }

} // namespace rubato::test
