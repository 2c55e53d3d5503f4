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
    RB_HD double Psi(const Vec3& s) const
    {
        double sum = 0;
        for (int i = 0; i < 3; ++i) {
            const double e = s[i] - 1;
            sum += 0.5 * e * e + stretch_minus_log(s[i]);
        }
        return kappa * sum;
    }
    RB_HD Vec3 dPsi(const Vec3& s) const
    {
        return kappa * (s - Vec3::Ones()).cwiseProduct(s + Vec3::Ones()).cwiseQuotient(s);
    }
    RB_HD Mat3 d2Psi(const Vec3& s) const
    {
        const Vec3 diagonal = kappa * (Vec3::Ones() + s.cwiseAbs2().cwiseInverse());
        return diagonal.asDiagonal();
    }
    RB_HD Vec3 symmetric_modes(const Vec3& s) const { return kappa * (Vec3::Ones() + pair_products(s).cwiseInverse()); }
    RB_HD Vec3 antisymmetric_modes(const Vec3& s) const
    {
        return kappa * (Vec3::Ones() - pair_products(s).cwiseInverse());
    }
};

} // namespace rubato
