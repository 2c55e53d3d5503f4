#pragma once

#include "base/types.hpp"

/// The shapes a list of blobs is made of, each a function that is negative inside, with two bounds that the list relies
/// on:
///   lipschitz():  |value(p) - value(q)| <= lipschitz |p - q|   for all p, q;
///   ball(), pace: value(p) >= pace (|p - center| - radius)     outside that ball.
namespace rubato {

struct BoundingBall {
    Vec3 center = Vec3::Zero();
    double radius = 0; ///< [m]
    double pace = 1; ///< how fast the value grows outside, at least
};

/// With q = p - center, s = |q / radii|, g = |q / radii^2| (entry by entry), outside and below the surface
///
///   value = s (s - 1) / g,
///
/// the first-order distance to the level s = 1, exact on it to second order; its gradient there has length 1. It is not
/// a distance: towards the centre it has no limit. Hence inside, with r the smallest radius,
///
///   value = min(max(s (s - 1) / g, -r / 4), r (s - 1)),
///
/// which differs only deeper than r / 4 and reaches -r at the centre. (Inside, s (s - 1) / g <= r (s - 1).)
///
/// Gradient of s (s - 1) / g: with the unit vector a = (q / radii^2) / g, A = |radii a|^2 and w = a / radii^2,
///
///   grad = a + u (a - A w),   u = 1 - 1/s.
///
/// Outside u runs from 0 to 1. Inside it counts only where s (1 - s) / g <= r / 4; as s / g >= r, there s >= 3/4 and
/// u >= -1/3. For fixed A the squared length is linear in the squares a_i^2, so it is largest where two of them are not
/// 0; with v = a_i^2 for the longer of two radii, their squared ratio m = R^2 / r^2, n = m - 1 and l = 1 - 1/m,
///
///   |grad|^2 = 1 + v (1 - v) (alpha + beta v),   alpha = -2 u (n - l) + u^2 l^2,   beta = u^2 (n^2 - l^2),
///
/// and for fixed v it is convex in u: its largest value is at u = -1/3 or u = 1, and at the root v of a quadratic.
struct Ellipsoid {
    Vec3 center;
    Vec3 radii; ///< [m], > 0

    double value(const Vec3& p) const;
    double lipschitz() const;
    BoundingBall ball() const;
};

/// A segment with a radius that changes linearly from one end to the other: distance to the nearest point of the
/// segment less the radius there. Across the flank the gradient has a part along the axis, the slope of the radius.
struct TaperedCapsule {
    Vec3 a, b; ///< ends [m]
    double radius_a, radius_b; ///< [m], > 0

    double value(const Vec3& p) const;
    double lipschitz() const;
    BoundingBall ball() const;
};

/// A box with rounded edges: exact distance.
struct BlobBox {
    Vec3 center;
    Vec3 half; ///< half sides [m], > 0
    double round; ///< radius of the edges [m], at most the smallest half side

    double value(const Vec3& p) const;
    double lipschitz() const { return 1; }
    BoundingBall ball() const { return {center, half.norm(), 1}; }
};

/// The half-space normal . p >= offset.
struct BlobHalfSpace {
    Vec3 normal; ///< of length 1
    double offset; ///< [m]

    double value(const Vec3& p) const { return offset - normal.dot(p); }
};

} // namespace rubato
