#pragma once

#include "base/types.hpp"
#include "math/log1p.hpp"

#include <cmath>

/// The three pairs of singular values. Pair k leaves out sigma_k: (1, 2), (2, 0), (0, 1). A material's symmetric and
/// antisymmetric modes are listed in this order, and what multiplies a pair is often simply sigma_k.
namespace rubato {

/// V is Vec3 or Triple<Lanes>.
template <class V>
using Number = typename V::Scalar;

template <class V>
RB_HD V pair_products(const V& s)
{
    return V(s[1] * s[2], s[2] * s[0], s[0] * s[1]);
}
template <class V>
RB_HD V pair_sums(const V& s)
{
    return V(s[1] + s[2], s[2] + s[0], s[0] + s[1]);
}

/// A symmetric matrix: its diagonal and, off it, one entry per pair.
template <class V>
struct Pairwise {
    V diagonal, pair;
};

/// A x
template <class V>
RB_HD V symmetric_product(const Pairwise<V>& A, const V& x)
{
    return V(A.diagonal[0] * x[0] + A.pair[2] * x[1] + A.pair[1] * x[2],
        A.pair[2] * x[0] + A.diagonal[1] * x[1] + A.pair[0] * x[2],
        A.pair[1] * x[0] + A.pair[0] * x[1] + A.diagonal[2] * x[2]);
}

RB_HD inline Mat3 pairwise_matrix(const Vec3& diagonal, const Vec3& pair)
{
    Mat3 A;
    A << diagonal[0], pair[2], pair[1], //
        pair[2], diagonal[1], pair[0], //
        pair[1], pair[0], diagonal[2];
    return A;
}
RB_HD inline Mat3 pairwise_matrix(const Pairwise<Vec3>& A) { return pairwise_matrix(A.diagonal, A.pair); }

/// 1/(sigma_i + sigma_j). Energies in which the sum of the singular values appears have a kink where two of them cancel
/// and no stiffness there; the bound keeps the value finite at this one point.
template <class V>
RB_HD V inverse_pair_sums(const V& s)
{
    constexpr double smallest = 1e-12; // sigma has no unit and is 1 at rest
    const V sums = pair_sums(s);
    return V(1 / at_least(sums[0], smallest), 1 / at_least(sums[1], smallest), 1 / at_least(sums[2], smallest));
}

/// sum_i (e_i^2/2 + e_i - log(1 + e_i)), e_i = s_i - 1: the shear term of logarithmic energies, without cancellation
/// near rest.
template <class V>
RB_HD Number<V> stretch_and_log(const V& s)
{
    const V e = s - V::Ones();
    const auto term = [&](int i) { return 0.5 * e[i] * e[i] + stretch_minus_log(s[i]); };
    return term(0) + term(1) + term(2);
}

} // namespace rubato
