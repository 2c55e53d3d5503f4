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
/// The second form of Psi has no term of first order to cancel. All of this holds for F F^T - 1 as well, which has the
/// same invariants, except that P = (mu (F F^T - 1) + lambda L) F^-T.
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
        Strain<Vec3> strain(F.col(0), F.col(1), F.col(2));
        if (strain.J < 0.25) strain.J = determinant3(F); // a difference of larger numbers, whose digits matter
        if (strain.J <= 0) return std::numeric_limits<double>::infinity();
        const LogAndShear<double> at = log_and_shear(strain.g1, strain.g2 + strain.g3, strain.J);
        if (P != nullptr) {
            Mat3 cofactors;
            cofactors << strain.cofactor[0], strain.cofactor[1], strain.cofactor[2];
            P->noalias() = cofactors * (pairwise_matrix(inner_stress(strain, at.L)) / strain.J);
        }
        return mu * at.shear + 0.5 * lambda * at.L * at.L;
    }
    /// The same for eight at once, where 0.25 < J.
    RUBATO_INLINE Lanes Psi_and_stress(
        const Square<Lanes>& F, Square<Lanes>& P, RankOneStiffness<Lanes>& stiffness) const
    {
        const auto row = [&](int r) { return Triple<Lanes>(F(r, 0), F(r, 1), F(r, 2)); };
        const Strain<Triple<Lanes>> strain(row(0), row(1), row(2)); // of F F^T - 1
        const LogAndShear<Lanes> at = log_and_shear(strain.g1, strain.g2 + strain.g3, strain.J);
        const Pairwise<Triple<Lanes>> S = inner_stress(strain, at.L);
        const Lanes per_J = 1 / strain.J;
        for (int c = 0; c < 3; ++c) {
            Triple<Lanes>& q = stiffness.F_inverse_T.col(c);
            for (int r = 0; r < 3; ++r) q[r] = per_J * strain.cofactor[r][c];
            P.col(c) = symmetric_product(S, q);
        }
        stiffness.plain = Lanes(mu);
        stiffness.crossed = mu - lambda * at.L;
        stiffness.straight = Lanes(lambda);
        stiffness.J = strain.J;
        stiffness.strain = {strain.diagonal, strain.off};
        stiffness.strain1 = strain.g1;
        stiffness.strain2 = strain.g2;
        return mu * at.shear + 0.5 * lambda * at.L * at.L;
    }
    template <class V>
    RB_HD Number<V> Psi(const V& s) const
    {
        const Number<V> L = log_J(s);
        return mu * stretch_and_log(s) + 0.5 * lambda * L * L;
    }
    template <class V>
    RB_HD V dPsi(const V& s) const
    {
        const V inverse = s.cwiseInverse();
        // (s - 1/s) = (s - 1)(s + 1)/s: the difference from 1 is exact near rest
        return mu * (s - V::Ones()).cwiseProduct(s + V::Ones()).cwiseProduct(inverse) + lambda * log_J(s) * inverse;
    }
    template <class V>
    RB_HD Pairwise<V> d2Psi(const V& s) const
    {
        const V inverse = s.cwiseInverse();
        const V diagonal = V::Constant(mu) + (mu + lambda - lambda * log_J(s)) * inverse.cwiseAbs2();
        return {diagonal, lambda * pair_products(inverse)};
    }
    template <class V>
    RB_HD V symmetric_modes(const V& s) const
    {
        return V::Constant(mu) + (mu - lambda * log_J(s)) * pair_products(s).cwiseInverse();
    }
    template <class V>
    RB_HD V antisymmetric_modes(const V& s) const
    {
        return V::Constant(mu) - (mu - lambda * log_J(s)) * pair_products(s).cwiseInverse();
    }

private:
    /// From the columns of F: the invariants of G = F^T F - 1, and the columns of J F^-T. From the rows of F: likewise
    /// for F F^T - 1, and the rows.
    template <class V>
    struct Strain {
        V diagonal, off; // of G, as pairs.hpp lists them
        Number<V> g1, g2, g3, J;
        V cofactor[3];

        RB_HD Strain(const V& f0, const V& f1, const V& f2)
            : diagonal(f0.dot(f0) - 1, f1.dot(f1) - 1, f2.dot(f2) - 1)
            , off(f1.dot(f2), f2.dot(f0), f0.dot(f1))
            , g1(diagonal.sum())
            , g2(pair_products(diagonal).sum() - off.squaredNorm())
            , g3(diagonal.prod() + 2 * off.prod() - diagonal.dot(off.cwiseAbs2()))
            , cofactor{f1.cross(f2), f2.cross(f0), f0.cross(f1)}
        {
            J = f0.dot(cofactor[0]);
        }
    };
    /// L, and (g1 - log J^2)/2 without cancellation near rest; `rest` is g2 + g3.
    template <class T>
    struct LogAndShear {
        T L, shear;
    };
    RB_HD static LogAndShear<double> log_and_shear(double g1, double rest, double J)
    {
        const double x = g1 + rest;
        if (std::abs(x) < 0.5 && std::abs(g1) < 1) return {0.5 * std::log1p(x), 0.5 * (x_minus_log1p(x) - rest)};
        const double L = std::log(J);
        return {L, 0.5 * g1 - L};
    }
    RUBATO_INLINE static LogAndShear<Lanes> log_and_shear(Lanes g1, Lanes rest, Lanes J)
    {
        const Lanes x = g1 + rest;
        const LaneMask is_near = (abs(x) < 0.5) & (abs(g1) < 1);
        const Lanes r = x / (2 + x), r2 = r * r, tail = 2 * r2 * artanh_tail(r2);
        if (bits_of(is_near) == all_bits) return {r + 0.5 * r * tail, 0.5 * (r * (x - tail) - rest)};
        const Lanes L = log(J);
        return {select(is_near, r + 0.5 * r * tail, L), select(is_near, 0.5 * (r * (x - tail) - rest), 0.5 * g1 - L)};
    }
    /// F^T P = mu G + lambda L; P F^T with F F^T - 1
    template <class V>
    RB_HD Pairwise<V> inner_stress(const Strain<V>& strain, const Number<V>& L) const
    {
        return {mu * strain.diagonal + V::Constant(lambda * L), mu * strain.off};
    }
    /// log(s_0 s_1 s_2). Near rest J - 1 is expanded in the exact e_i = s_i - 1.
    template <class V>
    RB_HD static Number<V> log_J(const V& s)
    {
        const V e = s - V::Ones();
        return log_of_growth(e.sum() + pair_products(e).sum() + e.prod(), s.prod());
    }
};

} // namespace rubato
