#pragma once

#include "distance/pairs.hpp"

/// Differences along a random direction of all corners.
namespace rubato::pairs {

inline Vec12 random_vector(Random& random)
{
    Vec12 u;
    for (int i = 0; i < 12; ++i) u[i] = random.uniform(-1, 1);
    return u;
}

inline Corners moved(const Corners& x, const Vec12& u, double h)
{
    Corners y;
    for (int k = 0; k < 4; ++k) y[k] = x[k] + h * u.segment<3>(3 * k);
    return y;
}

/// (8 [f(h) - f(-h)] - [f(2h) - f(-2h)]) / 12 h, exact to fourth order.
template <class Function>
auto difference(const Function& f, double h)
{
    auto value = f(h);
    value -= f(-h);
    value *= 8;
    value -= f(2 * h);
    value += f(-2 * h);
    value /= 12 * h;
    return value;
}

} // namespace rubato::pairs
