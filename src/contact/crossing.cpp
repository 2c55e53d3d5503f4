#include "contact/crossing.hpp"

#include <Eigen/Geometry>

#include <array>
#include <limits>

/// Orientation predicates: first in double with a bound on the error, then, if that leaves the sign open, as an exact
/// sum of doubles (an expansion; Shewchuk 1997). An expansion is a list of doubles whose exact sum is the number; they
/// do not overlap and grow in size, so that the last one that is not zero has the sign of the whole.
namespace rubato {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon() / 2; ///< largest relative error of a sum or product

/// A number as a sum of at most `most` doubles.
template <int most>
struct Expansion {
    std::array<double, most> part = {}; ///< from small to large
    int size = 0;

    /// Adds a double; zeros are dropped (Shewchuk, grow-expansion with zero elimination).
    void add(double x)
    {
        double carried = x;
        int kept = 0;
        for (int i = 0; i < size; ++i) {
            const double sum = carried + part[i];
            const double virtual_part = sum - carried;
            const double error = (carried - (sum - virtual_part)) + (part[i] - virtual_part);
            if (error != 0) part[kept++] = error;
            carried = sum;
        }
        if (carried != 0) part[kept++] = carried;
        size = kept;
    }
    int sign() const { return size == 0 ? 0 : part[size - 1] > 0 ? 1 : -1; }
};

using Difference = Expansion<2>;

Difference difference(double a, double b)
{
    Difference d;
    d.add(a);
    d.add(-b);
    return d;
}

/// Adds sign * a b to a sum.
template <int n, int m, int most>
void add_product(Expansion<most>& sum, const Expansion<n>& a, const Expansion<m>& b, double sign)
{
    for (int i = 0; i < a.size; ++i) {
        for (int j = 0; j < b.size; ++j) {
            const double product = sign * a.part[i] * b.part[j];
            sum.add(std::fma(sign * a.part[i], b.part[j], -product));
            sum.add(product);
        }
    }
}

using Minor = Expansion<16>; ///< a b - c d of differences: 2 * 2 * 2 * 2 doubles

Minor minor_of(const Difference& a, const Difference& b, const Difference& c, const Difference& d)
{
    Minor m;
    add_product(m, a, b, 1);
    add_product(m, c, d, -1);
    return m;
}

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    std::array<std::array<Difference, 3>, 3> e; // edges from a
    const std::array<const Vec3*, 3> ends = {&b, &c, &d};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) e[i][k] = difference((*ends[i])[k], a[k]);
    }
    Expansion<192> det; // 3 * 16 * 2 * 2
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        add_product(det, minor_of(e[1][l], e[2][m], e[1][m], e[2][l]), e[0][k], 1);
    }
    return det.sign();
}

/// Sign of the area of abc, seen along an axis: 1 if counter-clockwise.
int orientation_along(int axis, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double left = (b[u] - a[u]) * (c[v] - a[v]);
    const double right = (b[v] - a[v]) * (c[u] - a[u]);
    const double det = left - right;
    if (std::abs(det) > 8 * eps * (std::abs(left) + std::abs(right))) return det > 0 ? 1 : -1;
    return minor_of(difference(b[u], a[u]), difference(c[v], a[v]), difference(b[v], a[v]), difference(c[u], a[u]))
        .sign();
}

/// An axis along which three of four points in a plane do not seem to be in line; -1: they all are in line.
int axis_across(const std::array<const Vec3*, 4>& x)
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < 4; ++i) {
            if (orientation_along(axis, *x[i], *x[(i + 1) % 4], *x[(i + 2) % 4]) != 0) return axis;
        }
    }
    return -1;
}

/// Is x, which is in line with a and b, between them? (Or at one of them.)
bool between(const Vec3& x, const Vec3& a, const Vec3& b)
{
    return (x.array() >= a.array().min(b.array())).all() && (x.array() <= a.array().max(b.array())).all();
}

/// Two segments in one plane.
bool segments_meet(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q)
{
    const int axis = axis_across({&a, &b, &p, &q});
    if (axis < 0) return between(p, a, b) || between(q, a, b) || between(a, p, q);
    const int p_side = orientation_along(axis, a, b, p);
    const int q_side = orientation_along(axis, a, b, q);
    const int a_side = orientation_along(axis, p, q, a);
    const int b_side = orientation_along(axis, p, q, b);
    if (p_side * q_side < 0 && a_side * b_side < 0) return true;
    return (p_side == 0 && between(p, a, b)) || (q_side == 0 && between(q, a, b)) || (a_side == 0 && between(a, p, q))
        || (b_side == 0 && between(b, p, q));
}

/// A point and a triangle in one plane.
bool inside(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    for (int axis = 0; axis < 3; ++axis) {
        const int turn = orientation_along(axis, a, b, c);
        if (turn == 0) continue;
        return orientation_along(axis, a, b, p) * turn >= 0 && orientation_along(axis, b, c, p) * turn >= 0
            && orientation_along(axis, c, a, p) * turn >= 0;
    }
    return false; // no area: its edges are all of it
}

/// A segment and a triangle in one plane. A triangle of no area has any plane that its edges are in.
bool meet_in_plane(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c)
{
    if (inside(p, a, b, c)) return true;
    for (const auto& [from, to] : {std::pair{&a, &b}, std::pair{&b, &c}, std::pair{&c, &a}}) {
        if (orientation(*from, *to, p, q) == 0 && segments_meet(*from, *to, p, q)) return true;
    }
    return false;
}

} // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Vec3 u = b - a, v = c - a, w = d - a;
    double det = 0, size = 0; // the terms, and their absolute values
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        const double left = v[l] * w[m], right = v[m] * w[l];
        det += u[k] * (left - right);
        size += std::abs(u[k]) * (std::abs(left) + std::abs(right));
    }
    if (std::abs(det) > 16 * eps * size) return det > 0 ? 1 : -1;
    return size == 0 ? 0 : exact_orientation(a, b, c, d); // of no size: every term has an exact zero in it
}

bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const int p_side = orientation(a, b, c, p);
    const int q_side = orientation(a, b, c, q);
    if (p_side * q_side > 0) return false;
    if (p_side == 0 && q_side == 0) return meet_in_plane(p, q, a, b, c);

    // The line through p and q meets the plane between them. It passes the triangle's edges all on one side, or at
    // them.
    const int ab = orientation(p, q, a, b);
    const int bc = orientation(p, q, b, c);
    const int ca = orientation(p, q, c, a);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

Vec3 meeting_place(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 normal = (b - a).cross(c - a);
    const double from = (p - a).dot(normal);
    const double to = (q - a).dot(normal);
    if (from * to < 0 || (from == 0) != (to == 0)) return p + from / (from - to) * (q - p);
    return (p + q + a + b + c) / 5; // in one plane: somewhere among them
}

} // namespace rubato
