#pragma once

#include "materials/material.hpp"
#include "materials/pairs.hpp"
#include "math/log1p.hpp"

/// Symmetric gradient energy: the neo-Hookean energy without its volume term.
///
///     Psi             = kappa/2 sum_i (s_i^2 - 1) - kappa log J,     J = s_0 s_1 s_2
///     dPsi_i          = kappa (s_i - 1/s_i)
///     d2Psi_ij        = kappa (1 + 1/s_i^2) delta_ij
///     symmetric_k     = kappa (1 + 1/(s_i s_j))
///     antisymmetric_k = kappa (1 - 1/(s_i s_j))
///
///     s   singular values of F [1], all positive        kappa = mu, the shear modulus of small strains [Pa]; their
///     J   det F, relative volume [1]                    lambda is 0
///
/// Source: 002 eq. 16, shifted to 0 at rest (Stein, Li, Solomon 2022). +infinity at inversion. Psi is summed as
/// kappa sum_i (e_i^2/2 + e_i - log(1 + e_i)), e_i = s_i - 1, which does not cancel near rest.
namespace rubato {

struct SymmetricGradient {
    static constexpr const char* name = "symmetric-gradient";
    static constexpr const char* summary = "convex in the stretch; logarithmic barrier at inversion, no Poisson effect";
    static constexpr bool is_barrier = true;
    static constexpr bool uses_lambda = false;

    double kappa; ///< [Pa]

    RB_HD explicit SymmetricGradient(const Lame& lame)
        : kappa(lame.mu)
    {
    }
    template <class V>
    RB_HD Number<V> Psi(const V& s) const
    {
        return kappa * stretch_and_log(s);
    }
    template <class V>
    RB_HD V dPsi(const V& s) const
    {
        return kappa * (s - V::Ones()).cwiseProduct(s + V::Ones()).cwiseQuotient(s);
    }
    template <class V>
    RB_HD Pairwise<V> d2Psi(const V& s) const
    {
        const V diagonal = kappa * (V::Ones() + s.cwiseAbs2().cwiseInverse());
        return {diagonal, V::Constant(0)};
    }
    template <class V>
    RB_HD V symmetric_modes(const V& s) const
    {
        return kappa * (V::Ones() + pair_products(s).cwiseInverse());
    }
    template <class V>
    RB_HD V antisymmetric_modes(const V& s) const
    {
        return kappa * (V::Ones() - pair_products(s).cwiseInverse());
    }
};

} // namespace rubato
