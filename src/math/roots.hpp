#pragma once

#include "base/types.hpp"
#include "math/determinant3.hpp"

#include <cmath>
#include <limits>

/// The smallest positive root of a cubic, used to stop a step before a tetrahedron inverts
/// (docs/derivations/step_cap.md).
///
///     f(t) = a t^3 + b t^2 + c t + d,   0 < t <= limit
///
/// Between neighbouring critical points f is monotone, so the sign at their ends tells whether an interval holds a
/// root, and Newton's method safeguarded by bisection finds it. No radicals of the roots are formed: vanishing leading
/// coefficients are not a special case, and double roots are found at the critical point itself, where they are well
/// conditioned.
namespace rubato {

namespace roots_detail {

struct Cubic {
    double a, b, c, d;

    RB_HD double operator()(double t) const { return ((a * t + b) * t + c) * t + d; }
    RB_HD double slope(double t) const { return (3 * a * t + 2 * b) * t + c; }
    /// How far the value at t >= 0 may be off by round-off, in it and in the coefficients.
    RB_HD double uncertainty(double t) const
    {
        const double eps = std::numeric_limits<double>::epsilon();
        return 4 * eps * (((std::abs(a) * t + std::abs(b)) * t + std::abs(c)) * t + std::abs(d));
    }
};

/// 0 < lo, f(lo) > 0 > f(hi), f monotone between. The last point found before the root.
RB_HD inline double last_positive(const Cubic& f, double lo, double hi)
{
    double t = lo;
    double last_step = hi - lo;
    for (int i = 0; i < 200; ++i) {
        const double value = f(t);
        if (value > 0)
            lo = t;
        else
            hi = t;
        const double newton = t - value / f.slope(t);
        const double middle = hi < 16 * lo ? 0.5 * (lo + hi) : std::sqrt(lo) * std::sqrt(hi); // roots of any magnitude
        const bool trusted = newton > lo && newton < hi && std::abs(newton - t) < 0.5 * last_step;
        const double next = trusted ? newton : middle;
        last_step = std::abs(next - t);
        t = next;
        if (last_step <= std::numeric_limits<double>::epsilon() * t) break;
    }
    // Newton approaches from one side; walk back over the last few digits until the sign is certain.
    for (double back = std::numeric_limits<double>::epsilon(); t > lo && !(f(t) > 0); back *= 2) t *= 1 - back;
    return t > lo ? t : lo;
}

} // namespace roots_detail

/// The smallest root in (0, limit], or +infinity if there is none. `limit` is positive and finite.
///
/// A root where f changes sign is approached from below: f still has the sign of f(0+) there. A value at a critical
/// point or at `limit` that round-off cannot tell from zero counts as a root. A root at 0 is divided out. The zero
/// polynomial and coefficients that are NaN have none.
RB_HD inline double smallest_positive_root(double a, double b, double c, double d, double limit)
{
    const double none = std::numeric_limits<double>::infinity();
    while (d == 0) { // divide by t
        if (a == 0 && b == 0 && c == 0) return none;
        d = c;
        c = b;
        b = a;
        a = 0;
    }
    // t in units of the limit, f(0) made positive, the coefficients at most 1.
    c *= limit;
    b *= limit * limit;
    a *= limit * limit * limit;
    const double others = std::abs(a) + std::abs(b) + std::abs(c);
    if (others < 0.999 * std::abs(d)) return none; // the usual case: f cannot reach zero
    const double unit = std::copysign(1 / std::fmax(others, std::abs(d)), d);
    const roots_detail::Cubic f{a * unit, b * unit, c * unit, d * unit};

    // Critical points, ascending: roots of 3 a t^2 + 2 b t + c by the formula that does not cancel. Those that do not
    // exist come out as NaN or infinite, and every comparison with them is false.
    const double discriminant = difference_of_products(f.b, f.b, 3 * f.a, f.c);
    const double q = -(f.b + std::copysign(std::sqrt(discriminant), f.b));
    double ends[3] = {q / (3 * f.a), f.c / q, 1};
    if (ends[0] > ends[1]) {
        const double larger = ends[0];
        ends[0] = ends[1];
        ends[1] = larger;
    }
    double lo = 0.5 * f.d / (std::abs(f.a) + std::abs(f.b) + std::abs(f.c)); // no root before
    for (const double end : ends) {
        if (!(end > lo && end <= 1)) continue;
        const double value = f(end);
        if (value < 0) return limit * roots_detail::last_positive(f, lo, end);
        if (value <= f.uncertainty(end)) return limit * end;
        lo = end;
    }
    return none;
}

} // namespace rubato
