#pragma once

#include "base/types.hpp"

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

/// s - 1 - log s for s > 0, without cancellation near 1 and without losing the digits of a small s.
RB_HD inline double stretch_minus_log(double s)
{
    const double x = s - 1; // exact near 1
    return std::abs(x) < 0.25 ? x_minus_log1p(x) : x - std::log(s);
}

} // namespace rubato
