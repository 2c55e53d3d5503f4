#pragma once

#include "base/types.hpp"

#include <cmath>

/// Determinant of a 3x3 matrix with twice the working precision.
///
/// A nearly flat element has det F many orders below the products it is the difference of, yet the energy of a barrier
/// material depends on that small number to its last digits. Here every product is split into its rounded value and its
/// rounding error (fma gives the latter exactly), and the errors are summed alongside (Ogita, Rump, Oishi 2005).
///
///     error <= eps |det| + O(eps^2) sum |F_ai F_bj F_ck|
namespace rubato {

/// a b - c d with an error of at most 1.5 ulp (Kahan).
RB_HD inline double difference_of_products(double a, double b, double c, double d)
{
    const double cd = c * d;
    const double cd_error = std::fma(c, d, -cd);
    return std::fma(a, b, -cd) - cd_error;
}

/// A sum that carries its own rounding errors.
struct CompensatedSum {
    double sum = 0, error = 0;

    RB_HD void add(double x)
    {
        const double next = sum + x;
        const double x_part = next - sum;
        error += (sum - (next - x_part)) + (x - x_part);
        sum = next;
    }
    RB_HD void add_product(double a, double b, double c)
    {
        const double ab = a * b;
        const double ab_error = std::fma(a, b, -ab);
        const double abc = ab * c;
        error += std::fma(ab, c, -abc) + ab_error * c;
        add(abc);
    }
    RB_HD double value() const { return sum + error; }
};

/// det F, nearly as if computed exactly and rounded once. The cubes of the entries must neither over- nor underflow.
RB_HD inline double determinant3(const Mat3& F)
{
    CompensatedSum det;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        det.add_product(F(0, i), F(1, j), F(2, k));
        det.add_product(-F(0, i), F(1, k), F(2, j));
    }
    return det.value();
}

} // namespace rubato
