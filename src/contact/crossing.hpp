#pragma once

#include "base/types.hpp"

namespace rubato {

/// Does the segment from p to q have a point in common with the triangle abc? Both with their rims: touching counts,
/// and so does an overlap within one plane. Exact for all finite input whose cubes neither over- nor underflow: signs
/// of determinants that rounding leaves open are found with exact sums.
bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

/// A point that both have nearly in common if they meet.
Vec3 meeting_place(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

/// Sign of det[b - a, c - a, d - a]: 1, 0 or -1.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

} // namespace rubato
