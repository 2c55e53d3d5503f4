#pragma once

#include "potentials/isa/symmetric3_lanes.hpp"

/// Signed singular value decomposition of eight 3x3 matrices at once: svd3.hpp without its branches, and from a better
/// start, the eigenvectors of F^T F in closed form. Jacobi's rotations then find hardly anything to do but where two
/// singular values nearly agree. Matrices that need branches (nearly flat, tiny, huge, not finite) are left to
/// svd3.hpp.
namespace rubato {
inline namespace RUBATO_ISA {

struct Svd3Lanes {
    Square<Lanes> U, V; ///< rotations
    Triple<Lanes> sigma; ///< descending in magnitude; only the last can be negative
    LaneMask usual; ///< where all of this holds
};

namespace svd3_lanes_detail {

inline constexpr int most_sweeps = 16; // one or two are usual
inline constexpr double orthogonal = 0x1p-51; // |cos| of the angle between two columns that counts as a right angle
inline constexpr double flattest = 0x1p-5; // sigma_2/sigma_0
inline constexpr double smallest = 0x1p-50, largest = 0x1p50;

RUBATO_INLINE Triple<Lanes> select(LaneMask mask, const Triple<Lanes>& a, const Triple<Lanes>& b)
{
    return {RUBATO_ISA::select(mask, a[0], b[0]), RUBATO_ISA::select(mask, a[1], b[1]),
        RUBATO_ISA::select(mask, a[2], b[2])};
}

struct Rotation {
    Lanes c, s;
};

/// The smaller of those that make [pp pq; pq qq] diagonal.
RUBATO_INLINE Rotation diagonalising(const Lanes& pp, const Lanes& qq, const Lanes& pq)
{
    const Lanes d = qq - pp;
    const Lanes h = sqrt(d * d + 4 * pq * pq);
    const Lanes x = abs(d) + h;
    const Lanes n = 1 / sqrt(2 * h * x);
    const LaneMask rotate = h > 1e-100; // below, the squares have lost digits
    return {RUBATO_ISA::select(rotate, n * x, Lanes(1)), RUBATO_ISA::select(rotate, copysign(2 * n, d) * pq, Lanes(0))};
}

/// A rotation whose columns are eigenvectors of A as far as round-off leaves them: first that of the eigenvalue which
/// is away from the others, from the matrix D^2 + x D + x^2 - 3 that projects onto it, then those in the plane across.
RUBATO_INLINE Square<Lanes> eigenvectors(const Symmetric3Lanes& A)
{
    const Deviator a(A);
    const Lanes x = RUBATO_ISA::select(a.mirrored, -a.far, a.far);
    const Symmetric3Lanes Q = combined(Lanes(1), square(a.D), x, a.D, x * x - 3);
    const Triple<Lanes>&d = Q.diagonal, &o = Q.pair; // d: 3 (x^2 - 1) times the squares of the vector's entries
    const LaneMask first = (d[0] > d[1]) & (d[0] > d[2]), second = d[1] > d[2];
    Triple<Lanes> n = select(first, {d[0], o[2], o[1]}, select(second, {o[2], d[1], o[0]}, {o[1], o[0], d[2]}));
    const Lanes length2 = n.squaredNorm();
    const LaneMask found = length2 > 0.1; // A is no multiple of 1
    n = select(found, (1 / sqrt(length2)) * n, {Lanes(0), Lanes(0), Lanes(1)}); // then all is left as it is

    // Two vectors across (Duff et al., "Building an orthonormal basis, revisited", 2017), turned within their plane.
    const Lanes sign = copysign(Lanes(1), n[2]), f = -1 / (sign + n[2]), g = n[0] * n[1] * f;
    const Triple<Lanes> b(1 + sign * n[0] * n[0] * f, sign * g, -sign * n[0]), c(g, sign + n[1] * n[1] * f, -n[1]);
    const Triple<Lanes> Db = symmetric_product(a.D, b), Dc = symmetric_product(a.D, c);
    const Rotation turn = diagonalising(b.dot(Db), c.dot(Dc), b.dot(Dc));
    return {{turn.c * b - turn.s * c, turn.s * b + turn.c * c, n}};
}

/// Rotates columns p and q of B and V so that those of B become orthogonal; lanes in which they are stay as they are.
RUBATO_INLINE LaneMask made_orthogonal(Square<Lanes>& B, Square<Lanes>& V, int p, int q)
{
    const Lanes p2 = B.col(p).squaredNorm(), q2 = B.col(q).squaredNorm(), pq = B.col(p).dot(B.col(q));
    const LaneMask rotate = pq * pq > orthogonal * orthogonal * p2 * q2;
    if (!any(rotate)) return rotate;

    const Rotation turn = diagonalising(p2, q2, pq);
    const Lanes c = RUBATO_ISA::select(rotate, turn.c, Lanes(1)), s = RUBATO_ISA::select(rotate, turn.s, Lanes(0));
    const Triple<Lanes> b = B.col(p), v = V.col(p);
    B.col(p) = c * b - s * B.col(q);
    B.col(q) = s * b + c * B.col(q);
    V.col(p) = c * v - s * V.col(q);
    V.col(q) = s * v + c * V.col(q);
    return rotate;
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
    const Triple<Lanes>&f0 = F.col(0), &f1 = F.col(1), &f2 = F.col(2);
    Square<Lanes>& V = out.V;
    V = eigenvectors({{f0.squaredNorm(), f1.squaredNorm(), f2.squaredNorm()}, {f1.dot(f2), f2.dot(f0), f0.dot(f1)}});
    Square<Lanes> B{{F * V.col(0), F * V.col(1), F * V.col(2)}};
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
