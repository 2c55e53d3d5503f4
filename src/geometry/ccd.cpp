#include "geometry/ccd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

/// Conservative advancement: from a moment t at which the distance d is known, advance by a time in which it provably
/// cannot fall to the distance to keep; repeat. Li, Kaufman, Jiang 2021 (Codimensional IPC, Alg. 1) bound the approach
/// by the greatest speed. Their bound is kept here as the last of three; the other two see directions.
///
///     X_ij = x_i - x_j    corner i of the first primitive less corner j of the second, at t       P_ij  its speed
///     keep = separation + rest min(d(0) - separation, most)                         n = gap / d   at t
///
/// Between convex hulls the distance along any unit vector bounds the distance from below (separating plane), and it
/// is least at corners:
///
///     d(t + T) >= min_ij n . (X_ij + T P_ij) = d + ...           equality at T = 0
///
/// (1) With n fixed the right side is linear in T. A motion across n, however fast, does not count.
/// (2) With n turning as the gap turns, n + T m, |n + T m| <= 1 + T^2 |m|^2 / 2 as m is normal to n:
///
///     (n + T m) . (X_ij + T P_ij) - keep (1 + T^2 |m|^2 / 2) > 0   for all i, j
///
///     is quadratic in T and has the slope of d itself, so that the advancement converges like Newton's method from
///     below, also for spinning primitives where (1) sees the speed of far corners.
/// (3) d - T max |P_ij|, which needs no direction.
///
/// Each bound holds by itself, whatever n and m; the longest advance is taken. Round-off: `keep` is raised by some ulps
/// of the coordinates reached, so that also x + t p, rounded, keeps the distance.
namespace rubato {

namespace {

constexpr int most_advances = 10'000; ///< dozens are many; the time reached is valid at every one
constexpr int most_advances_in_round_off = 100; ///< where directions are noise
constexpr double close_enough = 1e-10; ///< relative advance in time at which to stop
constexpr double ulps = 16 * std::numeric_limits<double>::epsilon(); ///< of a coordinate, for all round-off together
constexpr double never = std::numeric_limits<double>::infinity();

/// Corners of the first primitive are 0 .. first-1, of the second first .. all-1.
struct Shape {
    int first;
    int all;
};

constexpr Shape shape_of(PairKind kind)
{
    switch (kind) {
    case PairKind::point_triangle: return {1, 4};
    case PairKind::edge_edge: return {2, 4};
    case PairKind::point_edge: return {1, 3};
    case PairKind::point_point: return {1, 2};
    }
    return {1, 2};
}

/// The first T > 0 at which c0 + c1 T + c2 T^2 reaches zero, c0 > 0. A miss by round-off counts as touching.
inline double first_root(double c0, double c1, double c2)
{
    if (c1 >= 0 && c2 >= 0) return never;
    const double product = 4 * c0 * c2;
    double discriminant = c1 * c1 - product;
    if (discriminant < 0) {
        if (discriminant < -1e-14 * product) return never;
        discriminant = 0;
    }
    const double root = std::sqrt(discriminant);
    return c1 < 0 ? 2 * c0 / (root - c1) : (c1 + root) / (-2 * c2);
}

/// The unit gap. Round-off of the corners tilts a small gap against the edges and faces it stands on, and a tilt of
/// d/length is enough to lose sight of the far corners: it is set upright.
inline Vec3 upright(const Nearest& at)
{
    Vec3 n = at.gap;
    for (int s = 0; s < at.freedom; ++s) n -= (at.slide[s].dot(n) / at.slide[s].squaredNorm()) * at.slide[s];
    const double length = n.norm();
    return length > 0 ? Vec3(n / length) : n;
}

/// How the unit gap turns [1/s with the way p done in 1 s], the nearest points sliding along.
inline Vec3 turning(const Nearest& at, const Vec3& n, double d, const Corners& p, int all)
{
    Vec3 along = Vec3::Zero(); // relative speed of the nearest points
    for (int k = 0; k < all; ++k) along += at.weight[k] * p[k];
    Vec3 turn = Vec3::Zero();
    for (int s = 0; s < at.freedom; ++s) {
        const Vec3& slide = at.slide[s];
        const double length2 = slide.squaredNorm();
        Vec3 spread = Vec3::Zero();
        for (int k = 0; k < all; ++k) spread += at.slide_weight[s][k] * p[k];
        turn -= (n.dot(spread) / length2) * slide;
        along -= (slide.dot(along) / length2) * slide;
    }
    // With two slides and n nothing else is left of the three directions.
    if (at.freedom < 2) turn += along / d;
    return turn - n.dot(turn) * n;
}

} // namespace

double time_of_impact(PairKind kind, const Corners& x, const Corners& p, double separation, double rest, double most)
{
    const auto [first, all] = shape_of(kind);

    // Places and ways relative to the first corner: an offset or a common motion costs no digits.
    Corners x0, way;
    double reach = 0; // greatest coordinate
    double stride = 0; // greatest way
    for (int k = 0; k < 4; ++k) {
        x0[k] = k < all ? Vec3(x[k] - x[0]) : Vec3::Zero();
        way[k] = k < all ? Vec3(p[k] - p[0]) : Vec3::Zero();
        if (k >= all) continue;
        if (!x[k].allFinite() || !p[k].allFinite()) return 0;
        reach = std::max(reach, x[k].lpNorm<Eigen::Infinity>());
        stride = std::max(stride, p[k].lpNorm<Eigen::Infinity>());
    }

    Nearest at = nearest(kind, x0);
    double d = std::sqrt(at.d2);
    if (!(d > separation && d < never)) return 0;

    double speed2 = 0; // greatest |P_ij|^2
    for (int i = 0; i < first; ++i)
        for (int j = first; j < all; ++j) speed2 = std::max(speed2, (way[i] - way[j]).squaredNorm());
    const double speed = std::sqrt(speed2);
    if (speed == 0) return never;
    if (!(speed < never)) return 0; // squares that overflow

    const double kept_at_start = separation + rest * std::min(d - separation, most);
    // A gap of a few ulps is shared, so that motion remains possible.
    const double share = 0.5 * (d - kept_at_start);
    const double keep = kept_at_start + std::min(ulps * reach, share);
    const int most_steps = ulps * reach < share ? most_advances : most_advances_in_round_off;
    const double growth = ulps * stride; // of the round-off as the corners go on their way

    double t = 0;
    for (int advance = 0; advance < most_steps; ++advance) {
        const double kept = keep + t * growth; // grows on during the advance
        const double left = d - kept;
        if (!(left > 0)) return t;
        double T = left / (speed + growth);
        if (t + T > 1) return never;

        Corners now;
        for (int k = 0; k < 4; ++k) now[k] = x0[k] + t * way[k];
        const Vec3 n = upright(at);
        const Vec3 m = turning(at, n, d, way, all);
        const double m2 = m.squaredNorm();
        double straight = never;
        double turned = 1 / std::sqrt(m2); // round-off counts beyond half a right angle
        for (int i = 0; i < first; ++i) {
            for (int j = first; j < all; ++j) {
                const Vec3 X = now[i] - now[j];
                const Vec3 P = way[i] - way[j];
                const double c0 = n.dot(X) - kept;
                const double c1 = n.dot(P) - growth;
                if (!(c0 > 0)) {
                    straight = turned = 0;
                    continue;
                }
                if (c1 < 0) straight = std::min(straight, -c0 / c1);
                turned = std::min(turned, first_root(c0, c1 + m.dot(X), m.dot(P) - 0.5 * kept * m2));
            }
        }
        T = std::max({T, straight, turned});
        if (t + T > 1) return never;
        t += T;
        if (T <= close_enough * t) return t;

        for (int k = 0; k < 4; ++k) now[k] = x0[k] + t * way[k];
        at = nearest(kind, now);
        d = std::sqrt(at.d2);
    }
    return t;
}

} // namespace rubato
