#pragma once

#include "distance/pairs.hpp"

#include <cmath>
#include <limits>

/// Independent distances in extended precision. Nothing here shares code or formulas with src/geometry.
namespace rubato::oracle {

using Real = long double;
using Point = Eigen::Matrix<Real, 3, 1>;
using Points = std::array<Point, 4>;
inline constexpr Real infinity = std::numeric_limits<Real>::infinity();

inline Points extended(const Corners& x)
{
    Points out;
    for (int k = 0; k < 4; ++k) out[k] = x[k].cast<Real>();
    return out;
}

inline Real segment_d2(const Point& p, const Point& a, const Point& b)
{
    const Point e = b - a;
    const Real length2 = e.dot(e);
    const Real t = length2 > 0 ? std::min<Real>(1, std::max<Real>(0, (p - a).dot(e) / length2)) : Real(0);
    const Point gap = (p - a) - t * e;
    return gap.dot(gap);
}

/// The least value of a convex function on [0, 1], by golden sections.
template <class Function>
Real least(const Function& f)
{
    const Real golden = 0.5L * (std::sqrt(5.0L) - 1);
    Real lo = 0, hi = 1;
    Real best = std::min(f(lo), f(hi));
    Real left = hi - golden, right = golden;
    Real f_left = f(left), f_right = f(right);
    for (int i = 0; i < 90; ++i) {
        best = std::min({best, f_left, f_right});
        if (f_left <= f_right) {
            hi = right;
            right = left;
            f_right = f_left;
            left = hi - golden * (hi - lo);
            f_left = f(left);
        } else {
            lo = left;
            left = right;
            f_left = f_right;
            right = lo + golden * (hi - lo);
            f_right = f(right);
        }
    }
    return best;
}

/// Squared distance by search: over the lines that fill the triangle, or over the points of the first edge.
inline Real searched_d2(PairKind kind, const Points& given)
{
    Points x = given;
    for (Point& corner : x) corner -= given[0]; // so that the search does not work on an offset
    switch (kind) {
    case PairKind::point_triangle:
        return least([&](Real u) { return segment_d2(x[0], x[1] + u * (x[2] - x[1]), x[3] + u * (x[2] - x[3])); });
    case PairKind::edge_edge: return least([&](Real s) { return segment_d2(x[0] + s * (x[1] - x[0]), x[2], x[3]); });
    case PairKind::point_edge: return least([&](Real t) { return (x[0] - x[1] - t * (x[2] - x[1])).squaredNorm(); });
    case PairKind::point_point: return (x[0] - x[1]).squaredNorm();
    }
    return 0;
}

/// Distance by cross products: from plane or common normal where its foot is inside, else from all rims. Faster than
/// the search, which it leaves edges to that are nearly parallel, and needles.
inline Real normal_distance(PairKind kind, const Points& x)
{
    if (kind == PairKind::point_point) return (x[0] - x[1]).norm();
    if (kind == PairKind::point_edge) return std::sqrt(segment_d2(x[0], x[1], x[2]));
    const bool edges = kind == PairKind::edge_edge;
    const Point e = edges ? Point(x[1] - x[0]) : Point(x[2] - x[1]);
    const Point f = edges ? Point(x[3] - x[2]) : Point(x[3] - x[1]);
    const Point n = e.cross(f);
    const Real n2 = n.squaredNorm();
    if (!(n2 > 1e-6L * e.squaredNorm() * f.squaredNorm())) return std::sqrt(searched_d2(kind, x));
    if (edges) {
        const Point r = x[2] - x[0];
        const Real s = r.cross(f).dot(n), t = r.cross(e).dot(n);
        const Real rim = std::min({segment_d2(x[0], x[2], x[3]), segment_d2(x[1], x[2], x[3]),
            segment_d2(x[2], x[0], x[1]), segment_d2(x[3], x[0], x[1])});
        if (s >= 0 && s <= n2 && t >= 0 && t <= n2) return std::abs(r.dot(n)) / std::sqrt(n2);
        return std::sqrt(rim);
    }
    const Point r = x[0] - x[1];
    const Real in_f = e.cross(r).dot(n), in_e = r.cross(f).dot(n);
    if (in_e >= 0 && in_f >= 0 && in_e + in_f <= n2) return std::abs(r.dot(n)) / std::sqrt(n2);
    return std::sqrt(
        std::min({segment_d2(x[0], x[1], x[2]), segment_d2(x[0], x[1], x[3]), segment_d2(x[0], x[2], x[3])}));
}

} // namespace rubato::oracle
