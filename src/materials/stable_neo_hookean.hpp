#pragma once

#include "materials/material.hpp"
#include "materials/pairs.hpp"
#include "math/log1p.hpp"

/// Stable neo-Hookean elasticity: finite and smooth for every F, with one rest state up to rotation.
///
///     Psi             = m/2 (I - 3) - m/2 log((I + 1)/4) - 3/4 m (J - 1) + l/2 (J - 1)^2
///     dPsi_i          = c s_i + g s_j s_k
///     d2Psi_ii        = c + 2 m s_i^2/(I + 1)^2 + l (s_j s_k)^2
///     d2Psi_ij        = 2 m s_i s_j/(I + 1)^2 + (l J + g) s_k
///     symmetric_k     = c - g s_k
///     antisymmetric_k = c + g s_k
///
///     s   signed singular values of F [1]        I = sum_i s_i^2        J = det F = s_0 s_1 s_2
///     m = 4/3 mu,  l = lambda + 5/6 mu           so that mu, lambda are the Lamé parameters of small strains [Pa]
///     c = m I/(I + 1)                            g = l (J - 1) - 3/4 m
///
/// Source: Smith, de Goes, Kim, "Stable neo-Hookean flesh simulation", 2018, with their reparameterisation by the Lamé
/// parameters. Theirs reads m/2 (I - 3) + l/2 (J - alpha)^2 - m/2 log(I + 1), alpha = 1 + 3/4 m/l; multiplied out, and
/// with a constant that makes it 0 at rest, it is the above. Psi is summed in e_i = s_i - 1 and x = (I - 3)/4, which
/// does not cancel near rest:
///
///     Psi = m/2 (x - log(1 + x)) + 3/4 m (sum_i e_i^2/2 - sum_{i<j} e_i e_j - e_0 e_1 e_2) + l/2 (J - 1)^2
namespace rubato {

struct StableNeoHookean {
    static constexpr const char* name = "stable-neo-hookean";
    static constexpr const char* summary = "neo-Hookean that stays finite and smooth through inversion and recovers";
    static constexpr bool is_barrier = false;
    static constexpr bool uses_lambda = true;

    double m, l; ///< parameters of the formula [Pa], not those of small strains

    RB_HD explicit StableNeoHookean(const Lame& lame)
        : m(4.0 / 3 * lame.mu)
        , l(lame.lambda + 5.0 / 6 * lame.mu)
    {
    }
    template <class V>
    RB_HD Number<V> Psi(const V& s) const
    {
        const V e = s - V::Ones();
        const Number<V> products = pair_products(e).sum() + e.prod();
        const Number<V> growth = e.sum() + products; // J - 1
        const Number<V> x = 0.25 * e.dot(s + V::Ones());
        return 0.5 * m * x_minus_log1p(x) + 0.75 * m * (0.5 * e.squaredNorm() - products) + 0.5 * l * growth * growth;
    }
    template <class V>
    RB_HD V dPsi(const V& s) const
    {
        return shear_factor(s) * s + pressure(s) * pair_products(s);
    }
    template <class V>
    RB_HD Pairwise<V> d2Psi(const V& s) const
    {
        const Number<V> I1 = s.squaredNorm() + 1;
        const Number<V> twist = 2 * m / (I1 * I1);
        const V areas = pair_products(s);
        const V diagonal = V::Constant(shear_factor(s)) + twist * s.cwiseAbs2() + l * areas.cwiseAbs2();
        return {diagonal, twist * areas + (l * s.prod() + pressure(s)) * s};
    }
    template <class V>
    RB_HD V symmetric_modes(const V& s) const
    {
        return V::Constant(shear_factor(s)) - pressure(s) * s;
    }
    template <class V>
    RB_HD V antisymmetric_modes(const V& s) const
    {
        return V::Constant(shear_factor(s)) + pressure(s) * s;
    }

private:
    /// c of the legend
    template <class V>
    RB_HD Number<V> shear_factor(const V& s) const
    {
        const Number<V> I = s.squaredNorm();
        return m * I / (I + 1);
    }
    /// g of the legend
    template <class V>
    RB_HD Number<V> pressure(const V& s) const
    {
        return l * (s.prod() - 1) - 0.75 * m;
    }
};

} // namespace rubato
