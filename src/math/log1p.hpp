#pragma once

#include "base/types.hpp"
#include "math/lanes.hpp"

#include <cmath>

namespace rubato {

/// x - log(1 + x) without cancellation near 0, where it is x^2/2 - x^3/3 + …: the logarithmic energies are built from
/// it, and line searches compare them close to rest. x > -1; +infinity at -1.
///
/// With r = x/(2 + x):  log(1 + x) = 2 artanh r = 2 (r + r^3/3 + r^5/5 + …)  and  x = 2 r/(1 - r), so that
/// x - log(1 + x) = r (x - 2 r^2 (1/3 + r^2/5 + r^4/7 + …)).
RB_HD inline double x_minus_log1p(double x)
{
    if (!(std::abs(x) < 0.25)) return x - std::log1p(x);
    const double r = x / (2 + x);
    const double r2 = r * r; // at most 1/49: the first omitted term is below 1e-17 of the result
    double tail = 1.0 / 19;
    for (int odd = 17; odd >= 3; odd -= 2) tail = tail * r2 + 1.0 / odd;
    return r * (x - 2 * r2 * tail);
}

/// For any x > -1 as long as 1 + x is a normal number.
RUBATO_INLINE Lanes x_minus_log1p(Lanes x) { return select(abs(x) < 0.5, x_minus_log1p_near(x), x - log(1 + x)); }

/// s - 1 - log s for s > 0, without cancellation near 1 and without losing the digits of a small s.
RB_HD inline double stretch_minus_log(double s)
{
    const double x = s - 1; // exact near 1
    return std::abs(x) < 0.25 ? x_minus_log1p(x) : x - std::log(s);
}

RUBATO_INLINE Lanes stretch_minus_log(Lanes s)
{
    const Lanes x = s - 1;
    return select(abs(x) < 0.5, x_minus_log1p_near(x), x - log(s));
}

/// log of a product whose difference from 1, `growth`, is known to its own precision.
RB_HD inline double log_of_growth(double growth, double product)
{
    return std::abs(growth) < 0.5 ? std::log1p(growth) : std::log(product);
}
RUBATO_INLINE Lanes log_of_growth(Lanes growth, Lanes product)
{
    return select(abs(growth) < 0.5, log1p_near(growth), log(product));
}

RB_HD inline double at_least(double x, double least) { return std::fmax(x, least); }
RUBATO_INLINE Lanes at_least(Lanes x, double least) { return max(x, Lanes(least)); }

} // namespace rubato
