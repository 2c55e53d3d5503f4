#pragma once

#include "base/types.hpp"
#include "materials/pairs.hpp"
#include "math/lanes.hpp"
#include "math/triple.hpp"

/// What a material header provides. All materials are isotropic: the energy density is a function of the singular
/// values sigma of the deformation gradient F = U diag(sigma) V^T, with U and V rotations, so that the smallest sigma
/// carries the sign of det F. Each material is a plain struct of parameters, made from Lamé parameters, with
///
///     static constexpr const char* name;           // as scenes spell it
///     static constexpr const char* summary;        // one sentence
///     static constexpr bool is_barrier;            // singular at inversion: +infinity for det F <= 0
///     static constexpr bool uses_lambda;           // false: lambda is ignored and is 0 at small strains
///
/// and, each a template over V, which is Vec3 or, for eight elements at once, Triple<Lanes>,
///
///     Number<V> Psi(const V& sigma) const;         // energy density [J/m^3], 0 at rest
///     V dPsi(const V& sigma) const;                // dPsi/dsigma_i [Pa]
///     Pairwise<V> d2Psi(const V& sigma) const;     // d2Psi/dsigma_i dsigma_j [Pa]
///     V symmetric_modes(const V& sigma) const;     // (dPsi_i - dPsi_j)/(sigma_i - sigma_j), cancelled by hand
///     V antisymmetric_modes(const V& sigma) const; // (dPsi_i + dPsi_j)/(sigma_i + sigma_j), cancelled by hand
///
/// with pairs (i, j) in the order (1, 2), (2, 0), (0, 1). These are the nine eigenvalues of the stiffness (three of
/// them those of d2Psi) in closed form, so that projecting onto positive semidefinite needs no 9x9 eigensolver.
/// docs/derivations/isotropic_stiffness.md derives it. A material whose energy and stress have a form in F itself may
/// give it, and evaluations without stiffness then need no singular value decomposition:
///
///     double Psi_and_stress(const Mat3& F, Mat3* P) const;    // Psi; *P = dPsi/dF where P is given; +infinity and *P
///                                                             // untouched where a barrier ends
///
/// The functions in isotropic.hpp turn them into
/// energy, first Piola stress and stiffness as functions of F.
namespace rubato {

/// Lamé parameters of small strains [Pa].
struct Lame {
    double mu = 0, lambda = 0;

    RB_HD static Lame from_young_poisson(double young, double poisson)
    {
        return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
    }
};

/// A stiffness that is a multiple of the identity and two products of F^-T with itself (barrier materials in log J):
///
///     dP = plain dF + crossed F^-T dF^T F^-T + straight (F^-T : dF) F^-T
///
/// The blocks of an element follow without singular values: between nodes with shape gradients b_a and b_b
///
///     plain (b_a . b_b) 1 + crossed w_b w_a^T + straight w_a w_b^T,   w_a = F^-T b_a
///
/// and so does what makes them positive semidefinite (potentials/isa/rank_one_projection.hpp).
template <class T>
struct RankOneStiffness {
    Square<T> F_inverse_T;
    T plain, crossed, straight; ///< [Pa]
    T J; ///< det F
    Pairwise<Triple<T>> strain; ///< F F^T - 1
    T strain1, strain2; ///< its trace and the sum of its principal minors
};

} // namespace rubato
