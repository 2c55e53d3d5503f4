#pragma once

#include "math/lanes.hpp"
#include "math/triple.hpp"

/// Signed singular value decomposition of eight 3x3 matrices at once: svd3.hpp without its branches. Matrices that need
/// them (nearly flat, tiny, huge, not finite) are left to it.
namespace rubato {
inline namespace RUBATO_ISA {

struct Svd3Lanes {
    Square<Lanes> U, V; ///< rotations
    Triple<Lanes> sigma; ///< descending in magnitude; only the last can be negative
    LaneMask usual; ///< where all of this holds
};

namespace svd3_lanes_detail {

constexpr int most_sweeps = 16; // four or five are usual
constexpr double orthogonal = 0x1p-51; // |cos| of the angle between two columns that counts as a right angle
constexpr double flattest = 0x1p-5; // sigma_2/sigma_0
constexpr double smallest = 0x1p-50, largest = 0x1p50;

/// Rotates columns p and q of B and V so that those of B become orthogonal; lanes in which they are stay as they are.
RUBATO_INLINE LaneMask made_orthogonal(Square<Lanes>& B, Square<Lanes>& V, int p, int q)
{
    const Lanes p2 = B.col(p).squaredNorm(), q2 = B.col(q).squaredNorm(), pq = B.col(p).dot(B.col(q));
    const LaneMask rotate = pq * pq > orthogonal * orthogonal * p2 * q2;
    if (!any(rotate)) return rotate;

    const Lanes d = q2 - p2;
    const Lanes h = sqrt(d * d + 4 * pq * pq);
    const Lanes x = abs(d) + h;
    const Lanes n = 1 / sqrt(2 * h * x);
    const Lanes c = select(rotate, n * x, Lanes(1));
    const Lanes s = select(rotate, copysign(2 * n, d) * pq, Lanes(0));
    const Triple<Lanes> b = B.col(p), v = V.col(p);
    B.col(p) = c * b - s * B.col(q);
    B.col(q) = s * b + c * B.col(q);
    V.col(p) = c * v - s * V.col(q);
    V.col(q) = s * v + c * V.col(q);
    return rotate;
}

RUBATO_INLINE Triple<Lanes> select(LaneMask mask, const Triple<Lanes>& a, const Triple<Lanes>& b)
{
    return {RUBATO_ISA::select(mask, a[0], b[0]), RUBATO_ISA::select(mask, a[1], b[1]),
        RUBATO_ISA::select(mask, a[2], b[2])};
}

/// Puts the longer of two columns first, keeping V a rotation.
RUBATO_INLINE void sort(Square<Lanes>& B, Square<Lanes>& V, Triple<Lanes>& b2, int p, int q)
{
    const LaneMask swap = b2[p] < b2[q];
    const Triple<Lanes> b = B.col(p), v = V.col(p);
    B.col(p) = select(swap, B.col(q), b);
    B.col(q) = select(swap, -b, B.col(q));
    V.col(p) = select(swap, V.col(q), v);
    V.col(q) = select(swap, -v, V.col(q));
    const Lanes longer = max(b2[p], b2[q]);
    b2[q] = min(b2[p], b2[q]);
    b2[p] = longer;
}

} // namespace svd3_lanes_detail

[[gnu::noinline]] inline void svd3(const Square<Lanes>& F, Svd3Lanes& out)
{
    using namespace svd3_lanes_detail;
    Square<Lanes> B = F;
    Square<Lanes>& V = out.V;
    const Lanes one = Lanes(1), zero(0);
    V = {{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        const LaneMask a = made_orthogonal(B, V, 0, 1);
        const LaneMask b = made_orthogonal(B, V, 0, 2);
        const LaneMask c = made_orthogonal(B, V, 1, 2);
        if (!any(a | b | c)) break;
    }
    Triple<Lanes> b2{B.col(0).squaredNorm(), B.col(1).squaredNorm(), B.col(2).squaredNorm()};
    sort(B, V, b2, 0, 1);
    sort(B, V, b2, 0, 2);
    sort(B, V, b2, 1, 2);

    Triple<Lanes>& sigma = out.sigma;
    sigma[0] = sqrt(b2[0]);
    const Triple<Lanes> u0 = (1 / sigma[0]) * B.col(0);
    Triple<Lanes> u1 = B.col(1) - u0.dot(B.col(1)) * u0;
    const Lanes length = sqrt(u1.squaredNorm());
    sigma[1] = min(length, sigma[0]); // round-off can exchange two equal ones
    u1 = (1 / length) * u1;
    const Triple<Lanes> u2 = u0.cross(u1);
    const Lanes last = u2.dot(B.col(2));
    sigma[2] = copysign(min(abs(last), sigma[1]), last);
    out.U = {{u0, u1, u2}};
    out.usual = (abs(sigma[2]) > flattest * sigma[0]) & (sigma[0] > smallest) & (sigma[0] < largest);
}

} // namespace RUBATO_ISA
} // namespace rubato
