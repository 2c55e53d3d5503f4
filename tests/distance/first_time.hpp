#pragma once

#include "distance/oracle.hpp"

#include <vector>

/// When primitives that move straight first come as close as `keep`, by roots of polynomials in extended precision.
///
/// At that moment the nearest points are inside one pair of features, and the distance of the points, lines or planes
/// that carry them is `keep` too. Squared and multiplied out these are polynomials in t, with r, e, f of degree 1:
///
///     point, point    |r|^2 - keep^2                      degree 2
///     point, line     |r x e|^2 - keep^2 |e|^2                   4
///     point, plane    (r . n)^2 - keep^2 |n|^2, n = e x f        6     also for two lines
///
/// The time is the least of all their roots at which the primitives themselves are that close.
namespace rubato::oracle {

struct Polynomial {
    std::array<Real, 7> c = {}; ///< of 1, t, t^2, ...

    Real operator()(Real t) const
    {
        Real sum = 0;
        for (int i = 6; i >= 0; --i) sum = sum * t + c[i];
        return sum;
    }
    Polynomial derivative() const
    {
        Polynomial out;
        for (int i = 1; i < 7; ++i) out.c[i - 1] = i * c[i];
        return out;
    }
    friend Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + Real(-1) * b; }
    friend Polynomial operator+(Polynomial a, const Polynomial& b)
    {
        for (int i = 0; i < 7; ++i) a.c[i] += b.c[i];
        return a;
    }
    friend Polynomial operator*(Real factor, Polynomial a)
    {
        for (Real& c : a.c) c *= factor;
        return a;
    }
    friend Polynomial operator*(const Polynomial& a, const Polynomial& b)
    {
        Polynomial out;
        for (int i = 0; i < 7; ++i)
            for (int j = 0; a.c[i] != 0 && i + j < 7; ++j) out.c[i + j] += a.c[i] * b.c[j];
        return out;
    }
};

using Course3 = std::array<Polynomial, 3>; ///< a vector that depends on time

inline Polynomial dot(const Course3& a, const Course3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Course3 cross(const Course3& a, const Course3& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Where f changes its sign between lo and hi, at which the signs differ: Newton's method inside a shrinking bracket.
inline Real sign_change(const Polynomial& f, const Polynomial& slope, Real lo, Real hi)
{
    const bool rising = f(hi) > 0;
    Real t = 0.5L * (lo + hi);
    for (int i = 0; i < 200; ++i) {
        const Real value = f(t);
        ((value > 0) == rising ? hi : lo) = t;
        const Real newton = t - value / slope(t);
        const Real next = i % 3 < 2 && newton > lo && newton < hi ? newton : 0.5L * (lo + hi);
        if (std::abs(next - t) <= 1e-19L * t) break;
        t = next;
    }
    return t;
}

/// All sign changes in [0, 1], ascending: between neighbouring zeros of the derivative there is at most one.
inline std::vector<Real> sign_changes(const Polynomial& f, int degree)
{
    if (degree == 0) return {};
    const Polynomial slope = f.derivative();
    std::vector<Real> ends = sign_changes(slope, degree - 1);
    ends.push_back(1);
    std::vector<Real> out;
    Real lo = 0;
    for (const Real hi : ends) {
        if ((f(lo) > 0) != (f(hi) > 0)) out.push_back(sign_change(f, slope, lo, hi));
        lo = hi;
    }
    return out;
}

/// A straight motion of the corners, seen from the first of them.
class Motion {
public:
    Motion(PairKind kind, const Corners& x, const Corners& p)
        : kind_(kind)
        , x_(extended(x))
        , p_(extended(p))
    {
        for (int k = 3; k >= 0; --k) {
            x_[k] -= x_[0];
            p_[k] -= p_[0];
        }
    }

    Real distance(Real t) const
    {
        Points now;
        for (int k = 0; k < 4; ++k) now[k] = x_[k] + t * p_[k];
        return normal_distance(kind_, now);
    }

    /// The first time in [0, 1] at which the distance falls to `keep`; infinity if it never does. At a root the
    /// distance may be off by the round-off of the coefficients.
    Real first_time(Real keep) const
    {
        Real reach = 0, stride = 0;
        for (int k = 0; k < pairs::all(kind_); ++k) {
            reach = std::max(reach, x_[k].norm());
            stride = std::max(stride, p_[k].norm());
        }
        Real earliest = infinity;
        const auto consider = [&](const Polynomial& f, int degree) {
            for (const Real t : sign_changes(f, degree)) {
                if (t >= earliest) break;
                if (distance(t) <= keep + 1e-13L * (reach + t * stride))
                    earliest = std::min(earliest, crossing(keep, t));
            }
        };
        const Real keep2 = keep * keep;
        Polynomial one;
        one.c[0] = 1;
        const auto points = [&](int i, int j) {
            const Course3 r = between(j, i);
            consider(dot(r, r) - keep2 * one, 2);
        };
        const auto point_line = [&](int i, int j, int k) {
            const Course3 e = between(j, k), n = cross(between(j, i), e);
            consider(dot(n, n) - keep2 * dot(e, e), 4);
        };
        const auto normal = [&](const Course3& r, const Course3& e, const Course3& f) {
            const Course3 n = cross(e, f);
            const Polynomial height = dot(r, n);
            consider(height * height - keep2 * dot(n, n), 6);
        };
        const int n = pairs::first(kind_), m = pairs::all(kind_);
        for (int i = 0; i < n; ++i)
            for (int j = n; j < m; ++j) points(i, j);
        for (int i = 0; i < n; ++i)
            for (int j = n; j < m; ++j)
                for (int k = j + 1; k < m; ++k) point_line(i, j, k);
        if (kind_ == PairKind::edge_edge) {
            point_line(2, 0, 1);
            point_line(3, 0, 1);
            normal(between(2, 0), between(0, 1), between(2, 3));
        }
        if (kind_ == PairKind::point_triangle) normal(between(1, 0), between(1, 2), between(1, 3));
        return earliest;
    }

private:
    /// Where near t the distance falls through `keep`; infinity if it does not.
    Real crossing(Real keep, Real t) const
    {
        Real lo = t, hi = t;
        for (Real reach = 1e-18L * t; distance(hi) > keep; reach *= 4) {
            if (reach > 1e-8L * t) return infinity;
            lo = hi;
            hi = t + reach;
        }
        for (Real reach = 1e-18L * t; distance(lo) <= keep; reach *= 4) {
            hi = lo;
            lo = std::max<Real>(0, t - reach);
        }
        while (hi - lo > 1e-18L * hi) {
            const Real middle = 0.5L * (lo + hi);
            if (middle == lo || middle == hi) break;
            (distance(middle) > keep ? lo : hi) = middle;
        }
        return hi;
    }

    /// From corner j to corner i.
    Course3 between(int j, int i) const
    {
        Course3 out;
        for (int k = 0; k < 3; ++k) {
            out[k].c[0] = x_[i][k] - x_[j][k];
            out[k].c[1] = p_[i][k] - p_[j][k];
        }
        return out;
    }

    PairKind kind_;
    Points x_, p_;
};

} // namespace rubato::oracle
