#pragma once

#include "materials/material.hpp"
#include "materials/pairs.hpp"
#include "math/determinant3.hpp"
#include "math/log1p.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <limits>

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
///
/// Energy and stress need no singular values, with G = F^T F - 1 and its invariants g1 = tr G, g2 (the sum of its
/// principal minors) and g3 = det G, so that J^2 = 1 + x, x = g1 + g2 + g3:
///
///     Psi = mu/2 (g1 - log(1 + x)) + lambda/2 L^2 = mu/2 (x - log(1 + x) - g2 - g3) + lambda/2 L^2
///     P   = F^-T (mu G + lambda L)
///
/// The second form of Psi has no term of first order to cancel.
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
    RB_HD double Psi_and_stress(const Mat3& F, Mat3* P) const
    {
        const Vec3 f0 = F.col(0), f1 = F.col(1), f2 = F.col(2);
        Mat3 cofactors; // J F^-T
        cofactors << f1.cross(f2), f2.cross(f0), f0.cross(f1);
        double J = f0.dot(cofactors.col(0));
        if (J < 0.25) J = determinant3(F); // a difference of larger numbers, whose digits matter
        if (J <= 0) return std::numeric_limits<double>::infinity();

        const Vec3 diagonal(f0.dot(f0) - 1, f1.dot(f1) - 1, f2.dot(f2) - 1);
        const Vec3 off(f1.dot(f2), f2.dot(f0), f0.dot(f1)); // of G, as pairs.hpp lists them
        const double g1 = diagonal.sum(), g2 = pair_products(diagonal).sum() - off.squaredNorm();
        const double g3 = diagonal.prod() + 2 * off.prod() - diagonal.dot(off.cwiseAbs2());
        const double x = g1 + g2 + g3;
        const bool is_near_rest = std::abs(x) < 0.5 && std::abs(g1) < 1;
        const double L = is_near_rest ? 0.5 * std::log1p(x) : std::log(J);
        const double shear = is_near_rest ? 0.5 * (x_minus_log1p(x) - g2 - g3) : 0.5 * g1 - L;
        if (P != nullptr) {
            const Mat3 inner = pairwise_matrix(mu * diagonal + Vec3::Constant(lambda * L), mu * off);
            P->noalias() = cofactors * (inner / J);
        }
        return mu * shear + 0.5 * lambda * L * L;
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
