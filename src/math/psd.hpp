#pragma once

#include "base/types.hpp"

#include <cmath>

/// Eigenvalues of symmetric 3x3 matrices and the nearest positive semidefinite one.
///
/// Cyclic Jacobi: each rotation makes one off-diagonal entry zero, and after a few sweeps all are negligible.
/// Off-diagonal entries are compared with the diagonal ones of their own rows, so that a small eigenvalue of a matrix
/// that is badly scaled but close to diagonal is found to its own precision and not to that of the largest. (The
/// stiffness of a nearly flat element of a barrier material is such a matrix.)
namespace rubato {

struct SymmetricEigen3 {
    Vec3 values; ///< in no particular order
    Mat3 vectors; ///< orthonormal columns; A = vectors diag(values) vectors^T
};

/// Only the lower triangle of A is read. Terminates for any input, NaN included.
RB_HD inline SymmetricEigen3 symmetric_eigen3(Mat3 A)
{
    constexpr int most_sweeps = 16; // four or five are usual
    constexpr double negligible = 0x1p-54;
    Mat3 Q = Mat3::Identity();
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        bool rotated = false;
        for (int r = 0; r < 3; ++r) { // entry (p, q), p > q; r is the index left over
            const int p = r == 2 ? 1 : 2;
            const int q = r == 0 ? 1 : 0;
            const double a = A(p, q);
            if (a == 0) continue;
            const double largest = std::sqrt(std::abs(A(p, p))) * std::sqrt(std::abs(A(q, q)));
            if (!(std::abs(a) > negligible * largest)) {
                A(p, q) = 0;
                continue;
            }
            rotated = true;
            const double d = 0.5 * (A(p, p) - A(q, q));
            const double t = a / (d + std::copysign(std::hypot(d, a), d));
            const double c = 1 / std::sqrt(1 + t * t);
            const double s = c * t;
            A(p, p) += t * a;
            A(q, q) -= t * a;
            A(p, q) = 0;
            double& rp = r > p ? A(r, p) : A(p, r);
            double& rq = r > q ? A(r, q) : A(q, r);
            const double old_rp = rp;
            rp = c * old_rp + s * rq;
            rq = c * rq - s * old_rp;
            for (int i = 0; i < 3; ++i) {
                const double old_p = Q(i, p);
                Q(i, p) = c * old_p + s * Q(i, q);
                Q(i, q) = c * Q(i, q) - s * old_p;
            }
        }
        if (!rotated) break;
    }
    return {A.diagonal(), Q};
}

/// True if the symmetric matrix A has only positive eigenvalues; exact but for round-off in three pivots.
RB_HD inline bool is_positive_definite(const Mat3& A)
{
    if (!(A(0, 0) > 0)) return false;
    const double l10 = A(1, 0) / A(0, 0), l20 = A(2, 0) / A(0, 0);
    const double pivot1 = A(1, 1) - l10 * A(1, 0);
    if (!(pivot1 > 0)) return false;
    const double rest21 = A(2, 1) - l20 * A(1, 0);
    return A(2, 2) - l20 * A(2, 0) - rest21 * rest21 / pivot1 > 0;
}

/// The positive semidefinite matrix nearest to the symmetric A: its negative eigenvalues replaced by zero. The smaller
/// part is computed: the negative ones are taken away if the positive ones dominate, else the positive ones are put
/// together.
RB_HD inline Mat3 nearest_psd(const Mat3& A)
{
    if (is_positive_definite(A)) return A;
    const SymmetricEigen3 eigen = symmetric_eigen3(A);
    const bool mostly_positive = eigen.values.maxCoeff() > -eigen.values.minCoeff();
    Mat3 part = Mat3::Zero();
    for (int i = 0; i < 3; ++i) {
        const double value = eigen.values[i];
        if ((value < 0) == mostly_positive) part += (value * eigen.vectors.col(i)) * eigen.vectors.col(i).transpose();
    }
    if (!mostly_positive) return part;
    return A - part;
}

} // namespace rubato
