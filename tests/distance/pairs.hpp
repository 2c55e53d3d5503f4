#pragma once

#include "base/random.hpp"
#include "geometry/distance.hpp"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <string>

/// Pairs of primitives, general and degenerate, of all sizes and at all places.
namespace rubato::pairs {

inline constexpr std::array kinds
    = {PairKind::point_triangle, PairKind::edge_edge, PairKind::point_edge, PairKind::point_point};

inline std::string name(PairKind kind)
{
    return std::array{"point_triangle", "edge_edge", "point_edge", "point_point"}[static_cast<std::size_t>(kind)];
}

/// Corners of the first primitive are 0 .. first-1, of the second first .. all-1.
inline int first(PairKind kind) { return kind == PairKind::edge_edge ? 2 : 1; }
inline int all(PairKind kind) { return kind == PairKind::point_point ? 2 : kind == PairKind::point_edge ? 3 : 4; }

inline double diameter(PairKind kind, const Corners& x)
{
    double most = 0;
    for (int i = 0; i < all(kind); ++i)
        for (int j = 0; j < i; ++j) most = std::max(most, (x[i] - x[j]).norm());
    return most;
}

inline double largest_coordinate(PairKind kind, const Corners& x)
{
    double most = 0;
    for (int i = 0; i < all(kind); ++i) most = std::max(most, x[i].lpNorm<Eigen::Infinity>());
    return most;
}

enum class Family {
    general,
    nearly_parallel, ///< edges; also the two long sides of a triangle
    coplanar,
    grid, ///< whole coordinates: corners coincide, edges cross, overlap and have no length
    needle, ///< triangles of nearly no area
    collapsed, ///< corners coincide
    close, ///< gaps down to 1e-12 of the size
};
inline constexpr std::array families = {Family::general, Family::nearly_parallel, Family::coplanar, Family::grid,
    Family::needle, Family::collapsed, Family::close};

inline std::string name(Family family)
{
    return std::array{"general", "nearly parallel", "coplanar", "grid", "needle", "collapsed",
        "close"}[static_cast<std::size_t>(family)];
}

inline Vec3 in_cube(Random& random)
{
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    return {x, y, z};
}

inline Vec3 direction(Random& random)
{
    for (;;) {
        const Vec3 v = in_cube(random);
        const double n = v.norm();
        if (n > 0.1 && n < 1) return v / n;
    }
}

inline int below(int n, Random& random) { return static_cast<int>(random.bits() % static_cast<std::uint64_t>(n)); }

/// 10^-u, u uniform.
inline double magnitude(double most, double least, Random& random)
{
    return std::pow(10., random.uniform(std::log10(least), std::log10(most)));
}

inline Mat3 rotation(double angle, Random& random)
{
    return Eigen::AngleAxisd(angle, direction(random)).toRotationMatrix();
}

/// Barycentric coordinates in a primitive of n corners, often on its rim.
inline std::array<double, 3> place_in(int n, Random& random)
{
    std::array<double, 3> b = {0, 0, 0};
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += b[k] = below(5, random) == 0 ? 0 : random.uniform();
    if (sum == 0) return {1, 0, 0};
    for (double& c : b) c /= sum;
    return b;
}

/// Moves the first primitive so that a point of it lies `gap` away from a point of the second, across both where two
/// directions span a plane.
inline void bring_close(PairKind kind, Corners& x, double gap, Random& random)
{
    const int n = first(kind), m = all(kind) - n;
    const auto a = place_in(n, random), b = place_in(m, random);
    Vec3 apart = Vec3::Zero();
    for (int k = 0; k < n; ++k) apart += a[k] * x[k];
    for (int k = 0; k < m; ++k) apart -= b[k] * x[n + k];
    Vec3 normal = direction(random);
    if (kind == PairKind::point_triangle) normal = (x[2] - x[1]).cross(x[3] - x[1]);
    if (kind == PairKind::edge_edge) normal = (x[1] - x[0]).cross(x[3] - x[2]);
    if (!(normal.norm() > 1e-6)) normal = direction(random);
    for (int k = 0; k < n; ++k) x[k] += gap * normal.normalized() - apart;
}

/// Corners of size about 1 near the origin.
inline Corners unit_pair(PairKind kind, Family family, Random& random)
{
    Corners x;
    for (Vec3& corner : x) corner = in_cube(random);
    const double small = below(4, random) == 0 ? 0 : magnitude(1e-1, 1e-18, random);
    switch (family) {
    case Family::general: break;
    case Family::nearly_parallel:
        if (kind == PairKind::edge_edge) {
            const Vec3 e = x[1] - x[0];
            x[2] = x[0] + random.uniform(-1.5, 1.5) * e + magnitude(1, 1e-9, random) * below(2, random) * x[2];
            x[3] = x[2] + random.uniform(-2, 2) * e + small * x[3];
        } else {
            x[3] = x[2] + small * x[3];
        }
        break;
    case Family::coplanar: {
        const int axis = below(3, random);
        for (Vec3& corner : x) corner[axis] = 0;
        if (below(2, random)) {
            const Mat3 R = rotation(random.uniform(0, 3), random);
            for (Vec3& corner : x) corner = R * corner;
        }
        break;
    }
    case Family::grid:
        for (Vec3& corner : x)
            for (int i = 0; i < 3; ++i) corner[i] = below(3, random);
        break;
    case Family::needle: x[3] = x[1] + random.uniform(-0.5, 1.5) * (x[2] - x[1]) + small * x[3]; break;
    case Family::collapsed:
        for (int copies = 1 + below(2, random); copies > 0; --copies) x[below(4, random)] = x[below(4, random)];
        break;
    case Family::close: bring_close(kind, x, magnitude(1, 1e-12, random), random); break;
    }
    return x;
}

/// The same of a size between 1e-6 and 1e6 m, half of them far from the origin, in any order of corners.
inline Corners pair(PairKind kind, Family family, Random& random)
{
    Corners x = unit_pair(kind, family, random);
    if (kind == PairKind::edge_edge && below(2, random)) std::swap(x[0], x[2]), std::swap(x[1], x[3]);
    if (kind == PairKind::edge_edge && below(2, random)) std::swap(x[2], x[3]);
    if (kind == PairKind::point_triangle) std::swap(x[1], x[1 + below(3, random)]);
    const double size = magnitude(1e6, 1e-6, random);
    const Vec3 offset = below(2, random) ? Vec3(magnitude(1e4, 1, random) * size * direction(random)) : Vec3::Zero();
    for (Vec3& corner : x) corner = size * corner + offset;
    return x;
}

} // namespace rubato::pairs
