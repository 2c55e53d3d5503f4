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
    RB_HD double Psi(const Vec3& s) const { return 0.5 * kappa * excess(s).squaredNorm(); }
    RB_HD Vec3 dPsi(const Vec3& s) const
    {
        // s - 1/s^3 = (s - 1/s)(1 + 1/s^2)
        return kappa * excess(s).cwiseProduct(Vec3::Ones() + s.cwiseAbs2().cwiseInverse());
    }
    RB_HD Mat3 d2Psi(const Vec3& s) const
    {
        const Vec3 diagonal = kappa * (Vec3::Ones() + 3 * s.cwiseAbs2().cwiseAbs2().cwiseInverse());
        return diagonal.asDiagonal();
    }
    RB_HD Vec3 symmetric_modes(const Vec3& s) const { return kappa * (Vec3::Ones() + quotients(s, 1)); }
    RB_HD Vec3 antisymmetric_modes(const Vec3& s) const { return kappa * (Vec3::Ones() - quotients(s, -1)); }

private:
    /// s - 1/s; the difference from 1 is exact near rest.
    RB_HD static Vec3 excess(const Vec3& s)
    {
        return (s - Vec3::Ones()).cwiseProduct(s + Vec3::Ones()).cwiseQuotient(s);
    }
    /// (s_i^2 + sign s_i s_j + s_j^2)/(s_i s_j)^3
    RB_HD static Vec3 quotients(const Vec3& s, double sign)
    {
        const Vec3 s2 = s.cwiseAbs2();
        const Vec3 products = pair_products(s);
        const Vec3 cubes = products.cwiseProduct(products).cwiseProduct(products);
        return (pair_sums(s2) + sign * products).cwiseQuotient(cubes);
    }
};

} // namespace rubato
