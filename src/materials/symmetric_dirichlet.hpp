#pragma once

#include "materials/material.hpp"
#include "materials/pairs.hpp"

/// Symmetric Dirichlet energy: stretch and compression cost the same.
///
///     Psi             = kappa/2 sum_i (s_i^2 + 1/s_i^2 - 2) = kappa/2 sum_i (s_i - 1/s_i)^2
///     dPsi_i          = kappa (s_i - 1/s_i^3)
///     d2Psi_ij        = kappa (1 + 3/s_i^4) delta_ij
///     symmetric_k     = kappa (1 + (s_i^2 + s_i s_j + s_j^2)/(s_i s_j)^3)
///     antisymmetric_k = kappa (1 - (s_i^2 - s_i s_j + s_j^2)/(s_i s_j)^3)
///
///     s   singular values of F [1], all positive        kappa = mu/2, so that mu is the shear modulus of small
///                                                       strains [Pa]; their lambda is 0
///
/// Source: 002 eq. 15, shifted to 0 at rest (Schreiner et al. 2004; Smith and Schaefer 2015). +infinity at inversion.
namespace rubato {

struct SymmetricDirichlet {
    static constexpr const char* name = "symmetric-dirichlet";
    static constexpr const char* summary = "F and its inverse weigh the same; infinite at inversion, no Poisson effect";
    static constexpr bool is_barrier = true;
    static constexpr bool uses_lambda = false;

    double kappa; ///< [Pa]

    RB_HD explicit SymmetricDirichlet(const Lame& lame)
        : kappa(0.5 * lame.mu)
    {
    }
    template <class V>
    RB_HD Number<V> Psi(const V& s) const
    {
        return 0.5 * kappa * excess(s).squaredNorm();
    }
    template <class V>
    RB_HD V dPsi(const V& s) const
    {
        // s - 1/s^3 = (s - 1/s)(1 + 1/s^2)
        return kappa * excess(s).cwiseProduct(V::Ones() + s.cwiseAbs2().cwiseInverse());
    }
    template <class V>
    RB_HD Pairwise<V> d2Psi(const V& s) const
    {
        const V diagonal = kappa * (V::Ones() + 3 * s.cwiseAbs2().cwiseAbs2().cwiseInverse());
        return {diagonal, V::Constant(0)};
    }
    template <class V>
    RB_HD V symmetric_modes(const V& s) const
    {
        return kappa * (V::Ones() + quotients(s, 1));
    }
    template <class V>
    RB_HD V antisymmetric_modes(const V& s) const
    {
        return kappa * (V::Ones() - quotients(s, -1));
    }

private:
    /// s - 1/s; the difference from 1 is exact near rest.
    template <class V>
    RB_HD static V excess(const V& s)
    {
        return (s - V::Ones()).cwiseProduct(s + V::Ones()).cwiseQuotient(s);
    }
    /// (s_i^2 + sign s_i s_j + s_j^2)/(s_i s_j)^3
    template <class V>
    RB_HD static V quotients(const V& s, double sign)
    {
        const V s2 = s.cwiseAbs2();
        const V products = pair_products(s);
        const V cubes = products.cwiseProduct(products).cwiseProduct(products);
        return (pair_sums(s2) + sign * products).cwiseQuotient(cubes);
    }
};

} // namespace rubato
