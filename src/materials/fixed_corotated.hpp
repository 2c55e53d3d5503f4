#pragma once

#include "materials/material.hpp"
#include "materials/pairs.hpp"

/// Fixed corotated elasticity: ARAP with a penalty on the change of volume that stays smooth through flat states.
///
///     Psi             = mu sum_i (s_i - 1)^2 + lambda/2 (J - 1)^2,     J = s_0 s_1 s_2
///     dPsi_i          = 2 mu (s_i - 1) + lambda (J - 1) s_j s_k
///     d2Psi_ii        = 2 mu + lambda (s_j s_k)^2
///     d2Psi_ij        = lambda (2 J - 1) s_k
///     symmetric_k     = 2 mu - lambda (J - 1) s_k
///     antisymmetric_k = 2 mu + lambda (J - 1) s_k - 4 mu/(s_i + s_j)
///
///     s   signed singular values of F [1]        mu, lambda  Lamé parameters of small strains [Pa]
///     J   det F, relative volume [1]
///
/// Source: Stomakhin, Howes, Schroeder, Teran, "Energetically consistent invertible elasticity", 2012. Finite at
/// inversion; no stiffness where two singular values cancel.
namespace rubato {

struct FixedCorotated {
    static constexpr const char* name = "fixed-corotated";
    static constexpr const char* summary = "distance to the nearest rotation plus squared change of volume";
    static constexpr bool is_barrier = false;
    static constexpr bool uses_lambda = true;

    double mu, lambda; ///< [Pa]

    RB_HD explicit FixedCorotated(const Lame& lame)
        : mu(lame.mu)
        , lambda(lame.lambda)
    {
    }
    template <class V>
    RB_HD Number<V> Psi(const V& s) const
    {
        const Number<V> growth = s.prod() - 1;
        return mu * (s - V::Ones()).squaredNorm() + 0.5 * lambda * growth * growth;
    }
    template <class V>
    RB_HD V dPsi(const V& s) const
    {
        return 2 * mu * (s - V::Ones()) + lambda * (s.prod() - 1) * pair_products(s);
    }
    template <class V>
    RB_HD Pairwise<V> d2Psi(const V& s) const
    {
        const V diagonal = V::Constant(2 * mu) + lambda * pair_products(s).cwiseAbs2();
        const V mixed = lambda * (2 * s.prod() - 1) * s;
        return {diagonal, mixed};
    }
    template <class V>
    RB_HD V symmetric_modes(const V& s) const
    {
        return V::Constant(2 * mu) - lambda * (s.prod() - 1) * s;
    }
    template <class V>
    RB_HD V antisymmetric_modes(const V& s) const
    {
        return V::Constant(2 * mu) + lambda * (s.prod() - 1) * s - 4 * mu * inverse_pair_sums(s);
    }
};

} // namespace rubato
