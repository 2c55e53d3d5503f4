#pragma once

#include "distance/pairs.hpp"

#include <cmath>
#include <functional>
#include <limits>

/// Independent answers in extended precision: what the engine's distances and times are compared with. Nothing here
/// shares code or formulas with src/geometry.
namespace rubato::oracle {

using Real = long double;
using Point = Eigen::Matrix<Real, 3, 1>;
using Points = std::array<Point, 4>;
constexpr Real infinity = std::numeric_limits<Real>::infinity();

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

/// A straight motion of the corners, seen from the first of them.
struct Motion {
    PairKind kind;
    Points x, p;
    Real speed = 0; ///< the distance changes no faster than this

    Motion(PairKind kind_, const Corners& x_, const Corners& p_)
        : kind(kind_)
        , x(extended(x_))
        , p(extended(p_))
    {
        for (int k = 3; k >= 0; --k) {
            x[k] -= x[0];
            p[k] -= p[0];
        }
        Real of_first = 0, of_second = 0;
        for (int k = 0; k < pairs::first(kind); ++k) of_first = std::max(of_first, p[k].norm());
        for (int k = pairs::first(kind); k < pairs::all(kind); ++k) of_second = std::max(of_second, p[k].norm());
        speed = of_first + of_second;
    }

    Real distance(Real t) const
    {
        Points now;
        for (int k = 0; k < 4; ++k) now[k] = x[k] + t * p[k];
        return normal_distance(kind, now);
    }
};

/// The first time in [0, 1] at which the distance is down to `keep` > 0; infinity if it never is. Halves intervals, the
/// earlier half first, and leaves out those in which the distance cannot fall so far; those that are left are at most
/// 1e-12, or 1e-9 of t, long. `grazes`: how many of them could not be decided, because the distance only just fails to
/// fall so far.
class FirstTime {
public:
    FirstTime(const Motion& motion, Real keep)
        : motion_(motion)
        , keep_(keep)
    {
        at = search(0, motion.distance(0) - keep, 1, motion.distance(1) - keep);
    }

    Real at = infinity;
    int grazes = 0;

private:
    Real search(Real a, Real f_a, Real b, Real f_b)
    {
        if (f_a <= 0) return a;
        if (f_a + f_b > motion_.speed * (b - a) || grazes > 1000) return infinity;
        if (b - a < std::min<Real>(1e-12L, 1e-9L * b)) {
            if (f_b <= 0) return b;
            ++grazes;
            return infinity;
        }
        const Real middle = 0.5L * (a + b);
        const Real f_middle = motion_.distance(middle) - keep_;
        const Real early = search(a, f_a, middle, f_middle);
        return early <= 1 ? early : search(middle, f_middle, b, f_b);
    }

    const Motion& motion_;
    Real keep_;
};

} // namespace rubato::oracle
