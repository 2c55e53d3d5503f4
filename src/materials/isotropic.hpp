#pragma once

#include "materials/material.hpp"
#include "math/psd.hpp"
#include "math/svd3.hpp"

#include <limits>

/// Energy, stress and stiffness of an isotropic material as functions of F. Contract (implemented here, tested in
/// tests/materials and tests/contracts):
///
///     template <class M>
///     double energy_density(const M&, const Mat3& F);                  // Psi(F) [J/m^3]
///     double density_and_stress(const M&, const Mat3& F, Mat3& P);     // and P = dPsi/dF [Pa]
///     double density_stress_stiffness(const M&, const Mat3& F, Mat3& P, Mat9& dPdF, bool projected, double lift);
///
/// Mat9 acts on columns-stacked 3x3 matrices. For barrier materials with det F <= 0 the value is +infinity and
/// P, dPdF are left untouched.
///
/// With F = sum_i sigma_i u_i v_i^T and A : dF the scalar product of matrices
/// (docs/derivations/isotropic_stiffness.md):
///
///     P     = sum_i dPsi_i u_i v_i^T
///     dP/dF = sum_ij  d2Psi_ij          (u_i v_i^T) (u_j v_j^T :)                            scaling
///           + sum_k   symmetric_k       (u_i v_j^T + u_j v_i^T) (u_i v_j^T + u_j v_i^T :)/2  pair k = (i, j)
///           + sum_k   antisymmetric_k   (u_i v_j^T - u_j v_i^T) (u_i v_j^T - u_j v_i^T :)/2
namespace rubato {

namespace isotropic_detail {

template <class M>
concept HasDirectForm = requires(const M& material, const Mat3& F, Mat3* P)
{
    material.Psi_and_stress(F, P);
};

template <class M>
RB_HD bool is_defined(const Vec3& sigma)
{
    return !(M::is_barrier && sigma[2] <= 0); // NaN goes through and shows in the result
}

/// Psi, and the stress where it is asked for.
template <class M>
RB_HD double of_singular_values(const M& material, const Svd3& svd, Mat3* P)
{
    if (!is_defined<M>(svd.sigma)) return std::numeric_limits<double>::infinity();
    if (P != nullptr) P->noalias() = svd.U * material.dPsi(svd.sigma).asDiagonal() * svd.V.transpose();
    return material.Psi(svd.sigma);
}

RB_HD inline Vec3 clamped(const Vec3& x) { return {x[0] < 0 ? 0 : x[0], x[1] < 0 ? 0 : x[1], x[2] < 0 ? 0 : x[2]}; }

/// Negative entries replaced by their size, but no more than `most`.
RB_HD inline Vec3 lifted(Vec3 x, double most)
{
    for (int i = 0; i < 3; ++i) x[i] = x[i] < 0 ? std::fmin(-x[i], most) : x[i];
    return x;
}

/// Makes the nine eigenvalues positive semidefinite: negative ones become zero or, with lift > 0, their own size but no
/// more than `lift` times the largest of the nine. A direction without any stiffness makes a Newton step that is held
/// back by inertia alone, hundreds of times too long in a heavily tangled mesh; a direction with a little of it does
/// not. (Lifting to the full size, as in Chen, Ha, Liu, "Stabler neo-Hookean simulation: absolute eigenvalue filtering
/// for projected Newton", 2024, is slower near the solution, and has no bound at the kink of a rotation.)
RB_HD inline void project(Mat3& scaling, Vec3& symmetric, Vec3& antisymmetric, double lift)
{
    if (lift == 0) {
        scaling = nearest_psd(scaling);
        symmetric = clamped(symmetric);
        antisymmetric = clamped(antisymmetric);
        return;
    }
    const double least = std::fmin(symmetric.minCoeff(), antisymmetric.minCoeff());
    if (least >= 0 && is_positive_definite(scaling)) return;
    const SymmetricEigen3 eigen = symmetric_eigen3(scaling);
    // Not the largest in size: at the kink of a rotation one of them is minus infinity. None positive: all become zero.
    const double most = lift
        * std::fmax(0, std::fmax(eigen.values.maxCoeff(), std::fmax(symmetric.maxCoeff(), antisymmetric.maxCoeff())));
    const Vec3 values = lifted(eigen.values, most);
    for (int i = 0; i < 3; ++i) { // only what changes: a definite matrix stays as it is, to the last bit
        if (eigen.values[i] < 0) {
            scaling += ((values[i] - eigen.values[i]) * eigen.vectors.col(i)) * eigen.vectors.col(i).transpose();
        }
    }
    symmetric = lifted(symmetric, most);
    antisymmetric = lifted(antisymmetric, most);
}

/// The 9x9 stiffness from its parts in the frame of the singular vectors, (V x U) D (V x U)^T with x the Kronecker
/// product. In 3x3 blocks, D has
///
///     block (j, j):   diagonal, with scaling_jj at j and same_k at i for the pair k = (i, j)
///     block (j, l):   scaling_jl at (j, l) and cross_k at (l, j), k = (j, l)
///
/// where same and cross are half the sum and half the difference of a pair's two modes. Each block is first turned
/// by U (sums of outer products), then the blocks are mixed by V, half of them by symmetry: some 600 operations
/// instead of the 1500 of a dense product.
RB_HD inline void rotate(
    const Svd3& svd, const Mat3& scaling, const Vec3& symmetric, const Vec3& antisymmetric, Mat9& dPdF)
{
    const Vec3 same = 0.5 * (symmetric + antisymmetric);
    const Vec3 cross = 0.5 * (symmetric - antisymmetric);
    const Mat3& U = svd.U;
    const Mat3& V = svd.V;

    Mat3 outer[3]; // u_i u_i^T
    for (int i = 0; i < 3; ++i) outer[i].noalias() = U.col(i) * U.col(i).transpose();
    Mat3 turned[3][3]; // U D_jl U^T
    for (int j = 0; j < 3; ++j) {
        const int l = (j + 1) % 3, k = (j + 2) % 3;
        turned[j][j] = scaling(j, j) * outer[j] + same[k] * outer[l] + same[l] * outer[k];
        const Mat3 jl = U.col(j) * U.col(l).transpose();
        turned[j][l] = scaling(j, l) * jl + cross[k] * jl.transpose();
        turned[l][j] = turned[j][l].transpose();
    }
    for (int c = 0; c < 3; ++c) {
        Mat3 mixed[3]; // sum_j V_cj turned_jl
        for (int l = 0; l < 3; ++l) mixed[l] = V(c, 0) * turned[0][l] + V(c, 1) * turned[1][l] + V(c, 2) * turned[2][l];
        for (int e = 0; e <= c; ++e) {
            const Mat3 block = V(e, 0) * mixed[0] + V(e, 1) * mixed[1] + V(e, 2) * mixed[2];
            dPdF.block<3, 3>(3 * c, 3 * e) = block;
            if (e < c) dPdF.block<3, 3>(3 * e, 3 * c) = block.transpose();
        }
    }
}

} // namespace isotropic_detail

template <class M>
RB_HD double energy_density(const M& material, const Mat3& F)
{
    using namespace isotropic_detail;
    if constexpr (HasDirectForm<M>)
        return material.Psi_and_stress(F, nullptr);
    else
        return of_singular_values(material, svd3(F), nullptr);
}

template <class M>
RB_HD double density_and_stress(const M& material, const Mat3& F, Mat3& P)
{
    using namespace isotropic_detail;
    if constexpr (HasDirectForm<M>)
        return material.Psi_and_stress(F, &P);
    else
        return of_singular_values(material, svd3(F), &P);
}

/// `projected`: a positive semidefinite stiffness instead of the true one: the nearest, or with lift > 0 one that has
/// some stiffness in every direction (isotropic_detail::project).
template <class M>
RB_HD double density_stress_stiffness(
    const M& material, const Mat3& F, Mat3& P, Mat9& dPdF, bool projected, double lift = 0)
{
    using namespace isotropic_detail;
    const Svd3 svd = svd3(F);
    if (!is_defined<M>(svd.sigma)) return std::numeric_limits<double>::infinity();
    double Psi;
    if constexpr (HasDirectForm<M>)
        Psi = material.Psi_and_stress(F, &P);
    else
        Psi = of_singular_values(material, svd, &P);

    Mat3 scaling = pairwise_matrix(material.d2Psi(svd.sigma));
    Vec3 symmetric = material.symmetric_modes(svd.sigma);
    Vec3 antisymmetric = material.antisymmetric_modes(svd.sigma);
    if (projected) project(scaling, symmetric, antisymmetric, lift);
    rotate(svd, scaling, symmetric, antisymmetric, dPdF);
    return Psi;
}

} // namespace rubato
