#pragma once

#include "materials/material.hpp"
#include "materials/pairs.hpp"
#include "math/log1p.hpp"

#include <cmath>

/// Logarithmic neo-Hookean elasticity.
///
///     Psi             = mu/2 (sum_i s_i^2 - 3) - mu L + lambda/2 L^2,     L = log J = sum_i log s_i
///     dPsi_i          = mu (s_i - 1/s_i) + lambda L/s_i
///     d2Psi_ii        = mu + (mu + lambda - lambda L)/s_i^2
///     d2Psi_ij        = lambda/(s_i s_j)
///     symmetric_k     = mu + (mu - lambda L)/(s_i s_j)
///     antisymmetric_k = mu - (mu - lambda L)/(s_i s_j)
///
///     s   singular values of F [1], all positive        mu, lambda  Lamé parameters of small strains [Pa]
///     J   det F, relative volume [1]
///
/// Source: 002 eq. 17, whose kappa is mu (Bonet and Wood, Nonlinear Continuum Mechanics, 2008). +infinity at
/// inversion. The first two terms of Psi are summed as mu sum_i (e_i^2/2 + e_i - log(1 + e_i)), e_i = s_i - 1, which
/// does not cancel near rest.
namespace rubato {

struct NeoHookean {
    static constexpr const char* name = "neo-hookean";
    static constexpr const char* summary = "logarithmic neo-Hookean; resists inversion with infinite energy";
    static constexpr bool is_barrier = true;
    static constexpr bool uses_lambda = true;

    double mu, lambda; ///< [Pa]

    RB_HD explicit NeoHookean(const Lame& lame)
        : mu(lame.mu)
        , lambda(lame.lambda)
    {
    }
    RB_HD double Psi(const Vec3& s) const
    {
        double shear = 0;
        for (int i = 0; i < 3; ++i) {
            const double e = s[i] - 1;
            shear += 0.5 * e * e + stretch_minus_log(s[i]);
        }
        const double L = log_J(s);
        return mu * shear + 0.5 * lambda * L * L;
    }
    RB_HD Vec3 dPsi(const Vec3& s) const
    {
        const Vec3 inverse = s.cwiseInverse();
        // (s - 1/s) = (s - 1)(s + 1)/s: the difference from 1 is exact near rest
        return mu * (s - Vec3::Ones()).cwiseProduct(s + Vec3::Ones()).cwiseProduct(inverse)
            + lambda * log_J(s) * inverse;
    }
    RB_HD Mat3 d2Psi(const Vec3& s) const
    {
        const Vec3 inverse = s.cwiseInverse();
        const Vec3 diagonal = Vec3::Constant(mu) + (mu + lambda - lambda * log_J(s)) * inverse.cwiseAbs2();
        return pairwise_matrix(diagonal, lambda * pair_products(inverse));
    }
    RB_HD Vec3 symmetric_modes(const Vec3& s) const
    {
        return Vec3::Constant(mu) + (mu - lambda * log_J(s)) * pair_products(s).cwiseInverse();
    }
    RB_HD Vec3 antisymmetric_modes(const Vec3& s) const
    {
        return Vec3::Constant(mu) - (mu - lambda * log_J(s)) * pair_products(s).cwiseInverse();
    }

private:
    /// log(s_0 s_1 s_2). Near rest J - 1 is expanded in the exact e_i = s_i - 1.
    RB_HD static double log_J(const Vec3& s)
    {
        const Vec3 e = s - Vec3::Ones();
        const double growth = e.sum() + pair_products(e).sum() + e.prod();
        return std::abs(growth) < 0.5 ? std::log1p(growth) : std::log(s.prod());
    }
};

} // namespace rubato
