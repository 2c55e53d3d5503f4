#pragma once

#include <cmath>

/// The barrier of 000 (App. E, after Li et al. 2020), of the gap in units of dhat:
///
///     b(y) = -(y - 1)^2 log y   for 0 < y < 1,   0 beyond
///
/// It grows without bound as the gap closes and goes over into nothing at y = 1 with two continuous derivatives.
namespace rubato {

struct BarrierValues {
    double b = 0, b1 = 0, b2 = 0; ///< value, first and second derivative
};

inline BarrierValues barrier_function(double y)
{
    if (!(y < 1)) return {};
    const double u = y - 1, log_y = std::log(y);
    return {-u * u * log_y, -2 * u * log_y - u * u / y, -2 * log_y - 4 * u / y + u * u / (y * y)};
}

} // namespace rubato
