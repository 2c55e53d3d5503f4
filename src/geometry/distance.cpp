#include "geometry/distance.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

/// Nearest points of points, edges and triangles (regions after Ericson, Real-Time Collision Detection, sec. 5.1).
///
///     point to edge        t = (p - a).e / e.e, cut to [0, 1]                                e = b - a
///     point to triangle    a + u e + v f,  or the nearest of the three edges if that is outside
///     edge to edge         a0 + s e and b0 + t f,  or the nearest of the four pairs of an end and an edge
///
/// The minimum of a convex function over a convex set is either where its gradient vanishes or on the rim, so taking
/// the nearest rim whenever the inner point is not inside gives all regions, 7 and 9 of them, without a tree of signs
/// that round-off could lead astray: a point that is classified wrongly is one for which both answers agree.
///
/// The inner point comes from Gram and Schmidt rather than from a determinant, which would lose twice as many digits:
///
///     q = f - k e,   k = e.f / e.e        the part of f across e
///
/// Two passes make q orthogonal to e to the last digit also where e and f are nearly parallel; the gap is then as exact
/// as its corners are. The slides are along e and q, not e and f: f_tt is diagonal and the Hessian needs no inverse.
///
/// All lengths come from differences of corners; an offset of all corners costs no digit.
namespace rubato {

namespace {

/// Where e and f are this parallel, (sin of the angle)^2, nothing is left of q but round-off.
constexpr double parallel = 1e-30;
/// Where they are this parallel the rim is looked at even if the inner point is inside.
constexpr double nearly_parallel = 1e-16;

/// along / length2 cut to [0, 1]; 0 for an edge of no length.
inline double cut(double along, double length2)
{
    if (!(along > 0)) return 0;
    return along < length2 ? along / length2 : 1;
}

/// Not cut. Where the nearest of the rims is one that was cut, and another that was not leads through the same corner,
/// the other is nearer, though round-off may hide it: its foot can be 1e-8 away for a tie in d2.
inline bool inside(double place) { return place > 0 && place < 1; }

/// The part of f across e.
struct Across {
    Vec3 q;
    double k;
    double q2;
    double e2;
    bool exists; ///< e and f span a plane
    bool thin; ///< hardly
};

inline Across across(const Vec3& e, const Vec3& f)
{
    Across out{f, 0, 0, e.squaredNorm(), false, true};
    if (!(out.e2 > 0)) return out;
    const double inverse = 1 / out.e2;
    const double f2 = f.squaredNorm();
    for (int pass = 0; pass < 2; ++pass) {
        const double k = out.q.dot(e) * inverse;
        out.q -= k * e;
        out.k += k;
    }
    out.q2 = out.q.squaredNorm();
    out.exists = out.q2 > parallel * f2;
    out.thin = out.q2 < nearly_parallel * f2;
    return out;
}

inline void set_points(Nearest& at, const Corners& x, int first, int second)
{
    at.gap = x[first] - x[second];
    at.weight[first] = 1;
    at.weight[second] = -1;
}

/// Point i and the place (1 - t) j + t k of an edge. `sign` is +1 if the point is of the first primitive.
inline void set_point_edge(Nearest& at, const Corners& x, int i, int j, int k, double t, double sign)
{
    if (t <= 0 || t >= 1) {
        const int end = t <= 0 ? j : k;
        if (sign > 0)
            set_points(at, x, i, end);
        else
            set_points(at, x, end, i);
        return;
    }
    const Vec3 e = x[k] - x[j];
    at.gap = sign * (x[i] - x[j] - t * e);
    at.weight[i] = sign;
    at.weight[j] = -sign * (1 - t);
    at.weight[k] = -sign * t;
    at.freedom = 1;
    at.slide_weight[0][j] = sign;
    at.slide_weight[0][k] = -sign;
    at.slide[0] = -sign * e;
}

inline void set_point_triangle(Nearest& at, const Corners& x)
{
    const Vec3 e = x[2] - x[1];
    const Vec3 f = x[3] - x[1];
    const Vec3 r = x[0] - x[1];
    const Across a = across(e, f);

    Vec3 flat
        = r; // without its part across e and f, which all rims have in common and which would drown small differences
    double inner_d2 = std::numeric_limits<double>::infinity();
    if (a.exists) {
        const double v = r.dot(a.q) / a.q2;
        const double u = (r - v * f).dot(e) / a.e2;
        flat = a.thin ? r : Vec3((r.dot(e) / a.e2) * e + v * a.q);
        if (u > 0 && v > 0 && u + v < 1) {
            at.gap = r - u * e - v * f;
            at.weight = {1, -(1 - u - v), -u, -v};
            at.freedom = 2;
            at.slide_weight = {{{0, 1, -1, 0}, {0, 1 - a.k, a.k, -1}}};
            at.slide = {-e, -a.q};
            if (!a.thin) return;
            inner_d2 = at.gap.squaredNorm();
        }
    }

    const Vec3 g = x[3] - x[2];
    const Vec3 r2 = x[0] - x[2];
    const std::array<double, 3> place
        = {cut(r.dot(e), a.e2), cut(r.dot(f), f.squaredNorm()), cut(r2.dot(g), g.squaredNorm())};
    const std::array<double, 3> d2 = {(flat - place[0] * e).squaredNorm(), (flat - place[1] * f).squaredNorm(),
        (flat - e - place[2] * g).squaredNorm()};
    int best = d2[1] < d2[0] ? 1 : 0;
    if (d2[2] < d2[best]) best = 2;
    if (inner_d2 <= d2[best]) return;
    // The other edge at the corner.
    constexpr std::array<std::array<int, 2>, 3> other = {{{1, 2}, {0, 2}, {0, 1}}};
    if (const int rival = other[best][place[best] > 0.5]; !inside(place[best]) && inside(place[rival])) best = rival;
    at = Nearest{};
    constexpr std::array<std::array<int, 2>, 3> ends = {{{1, 2}, {1, 3}, {2, 3}}};
    set_point_edge(at, x, 0, ends[best][0], ends[best][1], place[best], 1);
}

inline void set_edge_edge(Nearest& at, const Corners& x)
{
    const Vec3 e = x[1] - x[0];
    const Vec3 f = x[3] - x[2];
    const Vec3 r = x[0] - x[2];
    const Across a = across(e, f);

    Vec3 flat
        = r; // without its part across e and f, which all rims have in common and which would drown small differences
    double inner_d2 = std::numeric_limits<double>::infinity();
    if (a.exists) {
        const double t = r.dot(a.q) / a.q2;
        const double s = (t * f - r).dot(e) / a.e2;
        flat = a.thin ? r : Vec3((r.dot(e) / a.e2) * e + t * a.q);
        if (s > 0 && s < 1 && t > 0 && t < 1) {
            at.gap = r + s * e - t * f;
            at.weight = {1 - s, s, -(1 - t), -t};
            at.freedom = 2;
            at.slide_weight = {{{-1, 1, 0, 0}, {-a.k, a.k, 1, -1}}};
            at.slide = {e, -a.q};
            if (!a.thin) return;
            inner_d2 = at.gap.squaredNorm();
        }
    }

    const Vec3 r1 = x[1] - x[2]; // a1 - b0
    const Vec3 r3 = x[0] - x[3]; // a0 - b1
    const double f2 = f.squaredNorm();
    const std::array<double, 4> place
        = {cut(r.dot(f), f2), cut(r1.dot(f), f2), cut(-r.dot(e), a.e2), cut(-r3.dot(e), a.e2)};
    const std::array<double, 4> d2 = {(flat - place[0] * f).squaredNorm(), (flat + e - place[1] * f).squaredNorm(),
        (flat + place[2] * e).squaredNorm(), (flat - f + place[3] * e).squaredNorm()};
    int best = 0;
    for (int i = 1; i < 4; ++i)
        if (d2[i] < d2[best]) best = i;
    if (inner_d2 <= d2[best]) return;
    // The same two ends, seen from the other edge.
    const int end = place[best] > 0.5;
    if (const int rival = best < 2 ? 2 + end : end; !inside(place[best]) && inside(place[rival])) best = rival;
    at = Nearest{};
    if (best < 2)
        set_point_edge(at, x, best, 2, 3, place[best], 1);
    else
        set_point_edge(at, x, best, 0, 1, place[best], -1);
}

} // namespace

Nearest nearest(PairKind kind, const Corners& x)
{
    Nearest at;
    switch (kind) {
    case PairKind::point_triangle: set_point_triangle(at, x); break;
    case PairKind::edge_edge: set_edge_edge(at, x); break;
    case PairKind::point_edge: {
        const Vec3 e = x[2] - x[1];
        set_point_edge(at, x, 0, 1, 2, cut((x[0] - x[1]).dot(e), e.squaredNorm()), 1);
        break;
    }
    case PairKind::point_point: set_points(at, x, 0, 1); break;
    }
    at.d2 = at.gap.squaredNorm();
    return at;
}

void squared_distance_derivatives(const Nearest& at, Vec12& gradient, Mat12* hessian)
{
    for (int k = 0; k < 4; ++k) gradient.segment<3>(3 * k) = 2 * at.weight[k] * at.gap;
    if (!hessian) return;

    // Columns f_xt / 2, the second made orthogonal to the first in f_tt if it is not.
    std::array<Vec12, 2> column;
    std::array<double, 2> pivot = {0, 0};
    for (int m = 0; m < at.freedom; ++m) {
        for (int k = 0; k < 4; ++k)
            column[m].segment<3>(3 * k) = at.slide_weight[m][k] * at.gap + at.weight[k] * at.slide[m];
        pivot[m] = at.slide[m].squaredNorm();
    }
    if (at.freedom == 2) {
        const double factor = at.slide[0].dot(at.slide[1]) / pivot[0];
        column[1] -= factor * column[0];
        pivot[1] = (at.slide[1] - factor * at.slide[0]).squaredNorm();
    }

    Mat12& H = *hessian;
    H.setZero();
    for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l)
            for (int i = 0; i < 3; ++i) H(3 * k + i, 3 * l + i) = 2 * at.weight[k] * at.weight[l];
    for (int m = 0; m < at.freedom; ++m) {
        const Vec12 scaled = (2 / pivot[m]) * column[m];
        for (int j = 0; j < 12; ++j) H.col(j) -= scaled[j] * column[m];
    }
}

double edge_edge_mollifier(const Corners& x, double eps, Vec12* gradient, Mat12* hessian)
{
    const Vec3 a = x[1] - x[0];
    const Vec3 b = x[3] - x[2];
    const Vec3 n = a.cross(b);
    const double c = n.squaredNorm();
    if (!(c < eps)) {
        if (gradient) gradient->setZero();
        if (hessian) hessian->setZero();
        return 1;
    }
    const double y = c / eps;
    const double slope = 2 * (1 - y) / eps; // dm/dc
    const double curvature = -2 / (eps * eps); // d2m/dc2
    if (!gradient && !hessian) return y * (2 - y);

    const Vec3 c_a = 2 * b.cross(n); // dc/da = 2 (|b|^2 a - (a.b) b), without the cancellation
    const Vec3 c_b = 2 * n.cross(a);
    Vec12 c_x;
    c_x << -c_a, c_a, -c_b, c_b;
    if (gradient) *gradient = slope * c_x;
    if (hessian) {
        const Mat3 aa = 2 * slope * (b.squaredNorm() * Mat3::Identity() - b * b.transpose());
        const Mat3 bb = 2 * slope * (a.squaredNorm() * Mat3::Identity() - a * a.transpose());
        const Mat3 ab
            = 2 * slope * (2 * a * b.transpose() - b * a.transpose() - a.dot(b) * Mat3::Identity()); // d2c/da db
        Mat12& H = *hessian;
        H.noalias() = (curvature * c_x) * c_x.transpose();
        for (int k = 0; k < 2; ++k)
            for (int l = 0; l < 2; ++l) {
                const double sign = k == l ? 1 : -1;
                H.block<3, 3>(3 * k, 3 * l) += sign * aa;
                H.block<3, 3>(6 + 3 * k, 6 + 3 * l) += sign * bb;
                H.block<3, 3>(3 * k, 6 + 3 * l) += sign * ab;
                H.block<3, 3>(6 + 3 * l, 3 * k) += sign * ab.transpose();
            }
    }
    return y * (2 - y);
}

} // namespace rubato
