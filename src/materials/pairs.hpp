#pragma once

#include "base/types.hpp"

#include <cmath>

/// The three pairs of singular values. Pair k leaves out sigma_k: (1, 2), (2, 0), (0, 1). A material's symmetric and
/// antisymmetric modes are listed in this order, and what multiplies a pair is often simply sigma_k.
namespace rubato {

RB_HD inline Vec3 pair_products(const Vec3& s) { return {s[1] * s[2], s[2] * s[0], s[0] * s[1]}; }
RB_HD inline Vec3 pair_sums(const Vec3& s) { return {s[1] + s[2], s[2] + s[0], s[0] + s[1]}; }

/// The symmetric matrix with this diagonal and, off it, one entry per pair.
RB_HD inline Mat3 pairwise_matrix(const Vec3& diagonal, const Vec3& pair)
{
    Mat3 A;
    A << diagonal[0], pair[2], pair[1], //
        pair[2], diagonal[1], pair[0], //
        pair[1], pair[0], diagonal[2];
    return A;
}

/// 1/(sigma_i + sigma_j). Energies in which the sum of the singular values appears have a kink where two of them cancel
/// and no stiffness there; the bound keeps the value finite at this one point.
RB_HD inline Vec3 inverse_pair_sums(const Vec3& s)
{
    constexpr double smallest = 1e-12; // sigma has no unit and is 1 at rest
    const Vec3 sums = pair_sums(s);
    return {1 / std::fmax(sums[0], smallest), 1 / std::fmax(sums[1], smallest), 1 / std::fmax(sums[2], smallest)};
}

} // namespace rubato
