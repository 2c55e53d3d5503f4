#pragma once

#include "distance/pairs.hpp"

/// Motions of pairs of primitives, most of them toward each other.
namespace rubato::pairs {

struct Query {
    Corners x, p;
    double separation = 0;
    double rest = 0.1;
};

enum class Course {
    general,
    spinning, ///< both primitives turn by up to half a turn, so that their corners go up to twice their distances
    fast, ///< up to 1e6 times their size
    sliding, ///< starts 1e-2 to 1e-6 apart, goes along the surface and slightly toward it
    in_plane, ///< corners and ways in one plane
    parallel, ///< edges, or point and face, that keep their attitude and start nearly parallel
    degenerate, ///< edges of no length, needles, corners that coincide, also with different ways
};
inline constexpr std::array courses = {Course::general, Course::spinning, Course::fast, Course::sliding,
    Course::in_plane, Course::parallel, Course::degenerate};

inline std::string name(Course course)
{
    return std::array{"general", "spinning", "fast", "sliding", "in plane", "parallel",
        "degenerate"}[static_cast<std::size_t>(course)];
}

/// Adds to the way of the first primitive what makes a point of it meet a point of the second at time t.
inline void aim(PairKind kind, Query& q, double t, Random& random)
{
    const int n = first(kind), m = all(kind) - n;
    const auto a = place_in(n, random), b = place_in(m, random);
    Vec3 apart = Vec3::Zero();
    for (int k = 0; k < n; ++k) apart += a[k] * (q.x[k] + t * q.p[k]);
    for (int k = 0; k < m; ++k) apart -= b[k] * (q.x[n + k] + t * q.p[n + k]);
    for (int k = 0; k < n; ++k) q.p[k] -= apart / t;
}

inline void spin(PairKind kind, Query& q, Random& random)
{
    const auto turn = [&](int begin, int end) {
        const Mat3 R = rotation(random.uniform(-3.1, 3.1), random);
        const Vec3 centre = in_cube(random);
        for (int k = begin; k < end; ++k) q.p[k] = R * (q.x[k] - centre) - (q.x[k] - centre);
    };
    turn(0, first(kind));
    turn(first(kind), 4);
}

inline Query query(PairKind kind, Course course, Random& random)
{
    constexpr std::array odd = {Family::needle, Family::collapsed, Family::grid, Family::nearly_parallel};
    Query q;
    const Family family = course == Course::in_plane ? Family::coplanar
        : course == Course::parallel                 ? Family::nearly_parallel
        : course == Course::degenerate               ? odd[below(4, random)]
                                                     : Family::general;
    q.x = unit_pair(kind, family, random);
    for (Vec3& way : q.p) way = in_cube(random);
    q.rest = std::array{0.1, 0.5, 0.01, 0.9}[below(4, random)];
    bool aimed = below(4, random) != 0;
    switch (course) {
    case Course::general: break;
    case Course::spinning: spin(kind, q, random); break;
    case Course::fast:
        for (Vec3& way : q.p) way *= magnitude(1e6, 1e2, random);
        break;
    case Course::sliding: {
        const double gap = magnitude(1e-2, 1e-6, random);
        bring_close(kind, q.x, gap, random);
        const Nearest at = nearest(kind, q.x);
        if (at.d2 == 0) break;
        const Vec3 n = at.gap.normalized();
        const double along = magnitude(1, gap, random);
        for (int k = 0; k < 4; ++k) {
            const double toward = random.uniform(-0.2, 1) * (k < first(kind) ? -gap : gap);
            q.p[k] = along * (q.p[k] - n * n.dot(q.p[k])) + toward * n;
        }
        aimed = false;
        break;
    }
    case Course::in_plane: {
        // Of unit_pair's plane: through all corners.
        const Vec3 n = (q.x[1] - q.x[0]).cross(q.x[2] - q.x[0]).normalized();
        for (Vec3& way : q.p) way -= n * n.dot(way);
        break;
    }
    case Course::parallel:
        for (int k = 1; k < 4; ++k) q.p[k] = k < first(kind) ? q.p[0] : q.p[first(kind)];
        break;
    case Course::degenerate:
        if (below(2, random)) q.p[2] = q.p[3];
        break;
    }
    if (aimed) aim(kind, q, random.uniform(0.02, 1), random);
    if (below(3, random) == 0) q.separation = random.uniform() * std::sqrt(nearest(kind, q.x).d2);
    const double size = magnitude(1e3, 1e-3, random);
    const Vec3 offset = below(2, random) ? Vec3(10 * size * in_cube(random)) : Vec3::Zero();
    for (Vec3& corner : q.x) corner = size * corner + offset;
    for (Vec3& way : q.p) way *= size;
    q.separation *= size;
    return q;
}

} // namespace rubato::pairs
