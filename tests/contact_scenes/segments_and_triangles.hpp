#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

/// Segments and triangles in 80-bit arithmetic, for the checker. Nothing here is the engine's.
///
/// Segment pq and triangle abc are convex: they are apart exactly if some axis n separates them, that is
///
///     max(n.p, n.q) < min(n.a, n.b, n.c)   or the other way round.
///
/// Among axes it is enough to try the normal of the triangle, cross products of edges, and, if all lie in one plane,
/// normals of the edges in it. An axis that separates by more than rounding proves that they are apart; if none does
/// they meet, or are nearer to each other than about 1e-17 of their size.
namespace rubato::test::checker {

using Real = long double;
using Point = Eigen::Matrix<Real, 3, 1>;
using Corners = std::array<Point, 3>;

inline constexpr Real rounding = std::numeric_limits<Real>::epsilon();

inline Point at(const Vector& x, Index i) { return node(x, i).template cast<Real>(); }

inline Point cross(const Point& a, const Point& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Does this axis prove that segment and triangle are apart? All positions relative to one of them, of size `size`.
inline bool separates(const Point& axis, const Point& p, const Point& q, const Corners& t, Real size)
{
    const Real length = std::abs(axis[0]) + std::abs(axis[1]) + std::abs(axis[2]);
    if (!(length > 0)) return false;
    const Real from = axis.dot(p), to = axis.dot(q);
    const Real a = axis.dot(t[0]), b = axis.dot(t[1]), c = axis.dot(t[2]);
    const Real gap = std::max(std::min({a, b, c}) - std::max(from, to), std::min(from, to) - std::max({a, b, c}));
    return gap > 8 * rounding * length * size;
}

inline bool segment_meets_triangle(const Point& from, const Point& to, const Corners& corners)
{
    // Differences of doubles of similar size are exact in 80 bits.
    const Point p = from - corners[0], q = to - corners[0];
    const Corners t = {Point::Zero(), corners[1] - corners[0], corners[2] - corners[0]};
    const Corners edge = {t[1], t[2] - t[1], -t[2]};
    const Point d = q - p;
    Real size = std::max(p.cwiseAbs().maxCoeff(), q.cwiseAbs().maxCoeff());
    size = std::max({size, t[1].cwiseAbs().maxCoeff(), t[2].cwiseAbs().maxCoeff()});

    const Point normal = cross(t[1], t[2]);
    auto apart = [&](const Point& axis) { return separates(axis, p, q, t, size); };
    if (apart(normal) || apart(d) || apart(cross(normal, d))) return false;
    for (const Point& e : edge) {
        if (apart(cross(e, d)) || apart(cross(normal, e)) || apart(e)) return false;
    }
    // Parallel or of no length: across d, or across an edge, from one to the other.
    for (int k = 0; k < 3; ++k) {
        const Point between = p - t[k];
        if (apart(between) || apart(q - t[k]) || apart(cross(d, cross(d, between)))) return false;
        if (apart(cross(edge[k], cross(edge[k], between))) || apart(cross(edge[k], cross(edge[k], q - t[k]))))
            return false;
    }
    return true;
}

/// Distance of a segment from a triangle, sampled where it can be smallest: not faster, but simple. Corners of one
/// against the other, and edges against edges.
inline Real squared_distance(const Point& p, const Point& a, const Point& b)
{
    const Point e = b - a;
    const Real l2 = e.squaredNorm();
    const Real t = l2 > 0 ? std::clamp<Real>((p - a).dot(e) / l2, 0, 1) : 0;
    return (p - a - t * e).squaredNorm();
}

inline Real squared_distance(const Point& p, const Corners& t)
{
    Real least
        = std::min({squared_distance(p, t[0], t[1]), squared_distance(p, t[1], t[2]), squared_distance(p, t[2], t[0])});
    const Point normal = cross(t[1] - t[0], t[2] - t[0]);
    const Real n2 = normal.squaredNorm();
    if (!(n2 > 0)) return least;
    for (int k = 0; k < 3; ++k) { // is its foot inside?
        const Point& a = t[k];
        if (cross(t[(k + 1) % 3] - a, p - a).dot(normal) < 0) return least;
    }
    const Real height = (p - t[0]).dot(normal);
    return std::min(least, height * height / n2);
}

inline Real squared_distance(const Point& a, const Point& b, const Point& c, const Point& d)
{
    Real least = std::min(
        {squared_distance(a, c, d), squared_distance(b, c, d), squared_distance(c, a, b), squared_distance(d, a, b)});
    const Point u = b - a, v = d - c, n = cross(u, v);
    const Real n2 = n.squaredNorm();
    if (!(n2 > 0)) return least;
    const Real s = cross(c - a, v).dot(n) / n2, t = cross(c - a, u).dot(n) / n2;
    if (s < 0 || s > 1 || t < 0 || t > 1) return least;
    return std::min(least, (a + s * u - c - t * v).squaredNorm());
}

inline Real squared_distance(const Point& p, const Point& q, const Corners& t)
{
    if (segment_meets_triangle(p, q, t)) return 0;
    Real least = std::min(squared_distance(p, t), squared_distance(q, t));
    for (int k = 0; k < 3; ++k) least = std::min(least, squared_distance(p, q, t[k], t[(k + 1) % 3]));
    return least;
}

} // namespace rubato::test::checker
