#pragma once

#include "materials/material.hpp"
#include "materials/pairs.hpp"

/// Corotated linear elasticity: linear elasticity of the symmetric factor S of F = R S.
///
///     Psi             = mu sum_i (s_i - 1)^2 + lambda/2 (tr S - 3)^2,     tr S = sum_i s_i
///     dPsi_i          = 2 mu (s_i - 1) + lambda (tr S - 3)
///     d2Psi_ij        = 2 mu delta_ij + lambda
///     symmetric_k     = 2 mu
///     antisymmetric_k = 2 mu + (2 lambda (tr S - 3) - 4 mu)/(s_i + s_j)
///
///     s   signed singular values of F [1]        mu, lambda  Lamé parameters of small strains [Pa]
///
/// Source: Müller and Gross, "Interactive virtual materials", 2004; in this form Sifakis and Barbič, SIGGRAPH course
/// 2012, sec. 3.4. Finite at inversion; no stiffness where two singular values cancel.
namespace rubato {

struct Corotated {
    static constexpr const char* name = "corotated";
    static constexpr const char* summary = "linear elasticity in a frame that turns with the element";
    static constexpr bool is_barrier = false;
    static constexpr bool uses_lambda = true;

    double mu, lambda; ///< [Pa]

    RB_HD explicit Corotated(const Lame& lame)
        : mu(lame.mu)
        , lambda(lame.lambda)
    {
    }
    template <class V>
    RB_HD Number<V> Psi(const V& s) const
    {
        const Number<V> tr = stretch(s);
        return mu * (s - V::Ones()).squaredNorm() + 0.5 * lambda * tr * tr;
    }
    template <class V>
    RB_HD V dPsi(const V& s) const
    {
        return 2 * mu * (s - V::Ones()) + V::Constant(lambda * stretch(s));
    }
    template <class V>
    RB_HD Pairwise<V> d2Psi(const V&) const
    {
        return {V::Constant(2 * mu + lambda), V::Constant(lambda)};
    }
    template <class V>
    RB_HD V symmetric_modes(const V&) const
    {
        return V::Constant(2 * mu);
    }
    template <class V>
    RB_HD V antisymmetric_modes(const V& s) const
    {
        return V::Constant(2 * mu) + (2 * lambda * stretch(s) - 4 * mu) * inverse_pair_sums(s);
    }

private:
    /// tr S - 3; the differences from 1 are exact near rest.
    template <class V>
    RB_HD static Number<V> stretch(const V& s)
    {
        return (s[0] - 1) + (s[1] - 1) + (s[2] - 1);
    }
};

} // namespace rubato
