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
    RB_HD double Psi(const Vec3& s) const
    {
        const double growth = s.prod() - 1;
        return mu * (s - Vec3::Ones()).squaredNorm() + 0.5 * lambda * growth * growth;
    }
    RB_HD Vec3 dPsi(const Vec3& s) const
    {
        return 2 * mu * (s - Vec3::Ones()) + lambda * (s.prod() - 1) * pair_products(s);
    }
    RB_HD Mat3 d2Psi(const Vec3& s) const
    {
        const Vec3 diagonal = Vec3::Constant(2 * mu) + lambda * pair_products(s).cwiseAbs2();
        const Vec3 mixed = lambda * (2 * s.prod() - 1) * s;
        return pairwise_matrix(diagonal, mixed);
    }
    RB_HD Vec3 symmetric_modes(const Vec3& s) const { return Vec3::Constant(2 * mu) - lambda * (s.prod() - 1) * s; }
    RB_HD Vec3 antisymmetric_modes(const Vec3& s) const
    {
        return Vec3::Constant(2 * mu) + lambda * (s.prod() - 1) * s - 4 * mu * inverse_pair_sums(s);
    }
};

} // namespace rubato
