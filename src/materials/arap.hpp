#pragma once

#include "materials/material.hpp"
#include "materials/pairs.hpp"

/// As-rigid-as-possible energy: the squared distance of F from the nearest rotation.
///
///     Psi             = mu sum_i (s_i - 1)^2
///     dPsi_i          = 2 mu (s_i - 1)
///     d2Psi_ij        = 2 mu delta_ij
///     symmetric_k     = 2 mu
///     antisymmetric_k = 2 mu - 4 mu/(s_i + s_j)
///
///     s   signed singular values of F [1]        mu  shear modulus of small strains [Pa]; their lambda is 0
///
/// Source: Chao, Pinkall, Sanan, Schröder, "A simple geometric model for elastic deformations", 2010; Sorkine and Alexa
/// 2007. Finite at inversion; no stiffness where two singular values cancel.
namespace rubato {

struct Arap {
    static constexpr const char* name = "arap";
    static constexpr const char* summary = "as-rigid-as-possible: distance to the nearest rotation; no Poisson effect";
    static constexpr bool is_barrier = false;
    static constexpr bool uses_lambda = false;

    double mu; ///< [Pa]

    RB_HD explicit Arap(const Lame& lame)
        : mu(lame.mu)
    {
    }
    template <class V>
    RB_HD Number<V> Psi(const V& s) const
    {
        return mu * (s - V::Ones()).squaredNorm();
    }
    template <class V>
    RB_HD V dPsi(const V& s) const
    {
        return 2 * mu * (s - V::Ones());
    }
    template <class V>
    RB_HD Pairwise<V> d2Psi(const V&) const
    {
        return {V::Constant(2 * mu), V::Constant(0)};
    }
    template <class V>
    RB_HD V symmetric_modes(const V&) const
    {
        return V::Constant(2 * mu);
    }
    template <class V>
    RB_HD V antisymmetric_modes(const V& s) const
    {
        return V::Constant(2 * mu) - 4 * mu * inverse_pair_sums(s);
    }
};

} // namespace rubato
