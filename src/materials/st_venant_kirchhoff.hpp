#pragma once

#include "materials/material.hpp"
#include "materials/pairs.hpp"

/// St. Venant-Kirchhoff elasticity: linear in the Green strain.
///
///     Psi             = mu sum_i E_i^2 + lambda/2 (tr E)^2,     E_i = (s_i^2 - 1)/2,   tr E = sum_i E_i
///     dPsi_i          = s_i (2 mu E_i + lambda tr E)
///     d2Psi_ij        = delta_ij (2 mu E_i + lambda tr E + 2 mu s_i^2) + lambda s_i s_j
///     symmetric_k     = mu (s_i^2 + s_i s_j + s_j^2 - 1) + lambda tr E
///     antisymmetric_k = mu (s_i^2 - s_i s_j + s_j^2 - 1) + lambda tr E
///
///     s   signed singular values of F [1]        mu, lambda  Lamé parameters of small strains [Pa]
///     E   Green strain (F^T F - 1)/2 [1]
///
/// Source: any textbook, e.g. Sifakis and Barbič, SIGGRAPH course 2012, sec. 3.3. A polynomial of F, smooth everywhere;
/// blind to inversion, and weak under strong compression.
namespace rubato {

struct StVenantKirchhoff {
    static constexpr const char* name = "st-venant-kirchhoff";
    static constexpr const char* summary = "linear in the Green strain; stiffens in tension, weak in compression";
    static constexpr bool is_barrier = false;
    static constexpr bool uses_lambda = true;

    double mu, lambda; ///< [Pa]

    RB_HD explicit StVenantKirchhoff(const Lame& lame)
        : mu(lame.mu)
        , lambda(lame.lambda)
    {
    }
    template <class V>
    RB_HD Number<V> Psi(const V& s) const
    {
        const V E = green(s);
        return mu * E.squaredNorm() + 0.5 * lambda * E.sum() * E.sum();
    }
    template <class V>
    RB_HD V dPsi(const V& s) const
    {
        return s.cwiseProduct(second_piola(s));
    }
    template <class V>
    RB_HD Pairwise<V> d2Psi(const V& s) const
    {
        const V diagonal = second_piola(s) + (2 * mu + lambda) * s.cwiseAbs2();
        return {diagonal, lambda * pair_products(s)};
    }
    template <class V>
    RB_HD V symmetric_modes(const V& s) const
    {
        return modes(s, 1);
    }
    template <class V>
    RB_HD V antisymmetric_modes(const V& s) const
    {
        return modes(s, -1);
    }

private:
    template <class V>
    RB_HD static V green(const V& s)
    {
        return 0.5 * (s - V::Ones()).cwiseProduct(s + V::Ones()); // exact difference near rest
    }
    template <class V>
    RB_HD V second_piola(const V& s) const
    {
        const V E = green(s);
        return 2 * mu * E + V::Constant(lambda * E.sum());
    }
    template <class V>
    RB_HD V modes(const V& s, double sign) const
    {
        const V s2 = s.cwiseAbs2();
        const Number<V> pressure = lambda * green(s).sum() - mu;
        return mu * (pair_sums(s2) + sign * pair_products(s)) + V::Constant(pressure);
    }
};

} // namespace rubato
