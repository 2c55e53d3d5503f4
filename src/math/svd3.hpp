#pragma once

#include "base/types.hpp"
#include "math/determinant3.hpp"

#include <cmath>
#include <limits>
#include <utility>

/// Signed singular value decomposition of a 3x3 matrix,
///
///     F = U diag(sigma) V^T,   U and V rotations,   sigma_0 >= sigma_1 >= |sigma_2|,   sign(sigma_2) = sign(det F).
///
/// Method: one-sided Jacobi (Hestenes 1958; Demmel and Veselić 1992). Plane rotations from the right make the columns
/// of B = F V pairwise orthogonal; their lengths are the singular values and their directions the columns of U. F^T F
/// is never formed, so no digits are lost by squaring.
///
///     B, V     columns b_i, v_i; B = F V holds after every rotation
///     sigma_i  |b_i| for i = 0, 1
///     U        u_0 = b_0/|b_0|,   u_1 = b_1 made orthogonal to u_0,   u_2 = u_0 x u_1
///     sigma_2  u_2 . b_2, and where that is small det F/(sigma_0 sigma_1): b_2 is then a difference of much larger
///              numbers, but the determinant is known to full relative precision (determinant3.hpp)
///
/// So U, V and F - U diag(sigma) V^T are accurate to a few units of round-off of the largest singular value, and a
/// single small sigma_2 even relative to itself. Terminates for any input; sigma is NaN if F has an entry that is not
/// finite.
namespace rubato {

struct Svd3 {
    Mat3 U; ///< rotation
    Vec3 sigma; ///< descending in magnitude; only the last can be negative
    Mat3 V; ///< rotation
};

namespace svd3_detail {

inline constexpr int most_sweeps = 16; // four or five are usual
inline constexpr double orthogonal = 0x1p-51; // |cos| of the angle between two columns that counts as a right angle
inline constexpr double small_ratio = 0x1p-5; // sigma_2/sigma_0 below which sigma_2 is taken from the determinant

/// Rotates columns p and q of B and V so that those of B become orthogonal; false if they already were.
RB_HD inline bool made_orthogonal(Mat3& B, Mat3& V, int p, int q)
{
    const double p2 = B.col(p).squaredNorm();
    const double q2 = B.col(q).squaredNorm();
    const double pq = B.col(p).dot(B.col(q));
    if (!(pq * pq > orthogonal * orthogonal * p2 * q2)) return false;

    // The smaller of the two angles: tan 2 theta = 2 pq/(q2 - p2), free of cancellation.
    const double d = q2 - p2;
    const double h = std::sqrt(d * d + 4 * pq * pq);
    if (!(h > 0x1p-500)) return false; // both too short to matter, and their squares underflow
    const double x = std::abs(d) + h;
    const double n = 1 / std::sqrt(2 * h * x);
    const double c = n * x;
    const double s = std::copysign(2 * n, d) * pq;
    for (int r = 0; r < 3; ++r) {
        const double b = B(r, p), v = V(r, p);
        B(r, p) = c * b - s * B(r, q);
        B(r, q) = s * b + c * B(r, q);
        V(r, p) = c * v - s * V(r, q);
        V(r, q) = s * v + c * V(r, q);
    }
    return true;
}

/// Swaps two columns of B and V, keeping V a rotation.
RB_HD inline void swap_columns(Mat3& B, Mat3& V, int p, int q)
{
    for (int r = 0; r < 3; ++r) {
        const double b = B(r, p), v = V(r, p);
        B(r, p) = B(r, q);
        V(r, p) = V(r, q);
        B(r, q) = -b;
        V(r, q) = -v;
    }
}

/// A unit vector at a right angle to the unit vector u.
RB_HD inline Vec3 perpendicular(const Vec3& u)
{
    const double x = std::abs(u[0]), y = std::abs(u[1]), z = std::abs(u[2]);
    const Vec3 w = x <= y && x <= z ? Vec3(0, -u[2], u[1]) : y <= z ? Vec3(u[2], 0, -u[0]) : Vec3(-u[1], u[0], 0);
    return w / w.norm();
}

/// The decomposition of a matrix whose largest entry is of moderate size.
RB_HD inline Svd3 of_scaled(const Mat3& F)
{
    Svd3 out;
    Mat3 B = F;
    Mat3& V = out.V;
    V.setIdentity();
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        const bool a = made_orthogonal(B, V, 0, 1);
        const bool b = made_orthogonal(B, V, 0, 2);
        const bool c = made_orthogonal(B, V, 1, 2);
        if (!(a || b || c)) break;
    }
    Vec3 b2 = B.colwise().squaredNorm().transpose();
    const auto sort = [&](int p, int q) {
        if (b2[p] >= b2[q]) return;
        swap_columns(B, V, p, q);
        const double larger = b2[q];
        b2[q] = b2[p];
        b2[p] = larger;
    };
    sort(0, 1);
    sort(0, 2);
    sort(1, 2);

    Vec3& sigma = out.sigma;
    sigma[0] = std::sqrt(b2[0]);
    const Vec3 u0 = B.col(0) / sigma[0];
    // After this the column is exactly as orthogonal to u0 as it is long, which matters when it is tiny.
    Vec3 u1 = B.col(1) - u0.dot(B.col(1)) * u0;
    const double length = u1.norm();
    if (length > 0x1p-500) { // otherwise its square has lost its digits
        sigma[1] = std::fmin(length, sigma[0]); // round-off can exchange two equal ones
        u1 /= length;
    } else {
        sigma[1] = 0;
        u1 = perpendicular(u0);
    }
    const Vec3 u2(u0[1] * u1[2] - u0[2] * u1[1], u0[2] * u1[0] - u0[0] * u1[2], u0[0] * u1[1] - u0[1] * u1[0]);
    out.U << u0, u1, u2;

    sigma[2] = u2.dot(B.col(2));
    if (std::abs(sigma[2]) < small_ratio * sigma[0]) {
        const double area = sigma[0] * sigma[1];
        sigma[2] = area > 0 ? determinant3(F) / area : 0.0;
    }
    if (std::abs(sigma[2]) > sigma[1]) sigma[2] = std::copysign(sigma[1], sigma[2]);
    return out;
}

} // namespace svd3_detail

RB_HD inline Svd3 svd3(const Mat3& F)
{
    double largest = 0, not_finite = 0;
    for (int i = 0; i < 9; ++i) {
        largest = std::fmax(largest, std::abs(F.data()[i]));
        not_finite += F.data()[i] - F.data()[i]; // 0 for every finite number, NaN otherwise
    }
    if (largest > 0x1p-100 && largest < 0x1p100 && not_finite == 0) return svd3_detail::of_scaled(F);

    if (not_finite != 0) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        return {Mat3::Identity(), Vec3(nan, nan, nan), Mat3::Identity()};
    }
    if (largest == 0) return {Mat3::Identity(), Vec3::Zero(), Mat3::Identity()};

    // Cubes of the entries must stay representable: scale by a power of two, which is exact.
    int exponent = 0;
    std::frexp(largest, &exponent);
    Mat3 scaled;
    for (int i = 0; i < 9; ++i) scaled.data()[i] = std::ldexp(F.data()[i], -exponent);
    Svd3 out = svd3_detail::of_scaled(scaled);
    for (int i = 0; i < 3; ++i) out.sigma[i] = std::ldexp(out.sigma[i], exponent);
    return out;
}

} // namespace rubato
