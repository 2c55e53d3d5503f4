#pragma once

#include "materials/material.hpp"

/// What makes eight RankOneStiffnesses positive semidefinite, without singular vectors
/// (docs/derivations/rank_one_projection.md). With F = S R, S symmetric and R a rotation, sigma_k the eigenvalues of S:
///
///     plain + crossed/(sigma_i sigma_j)   symmetric modes     not negative, like the scaling modes, for crossed >= 0
///     plain - crossed sigma_k/J           twists [u_k]x R     u_k: eigenvectors of S
///
/// so what is missing are N = (crossed/J S - plain)_+, the positive part of a symmetric 3x3 matrix, on the twists:
/// between nodes with r_a = R b_a
///
///     K_ab += volume/2 [r_a]x N [r_b]x^T
///
/// S comes from the trace i1 of S, the largest root of a quartic in the invariants I, II of B = F F^T and J:
///
///     (i1^2 - I)^2 = 4 II + 8 J i1          i2 = (i1^2 - I)/2
///     S = (i1 J + (i1^2 - i2) B - B^2)/(i1 i2 - J)
///
/// and the positive part of T = q + p D, D with trace 0 and tr D^2 = 6, from that eigenvalue e = q + p x alone which has
/// no other on its side of zero:
///
///     Q = (D^2 + x D + x^2 - 3)/(3 (x^2 - 1))      projects onto its eigenvector
///     T_+ = e_+ Q   (one eigenvalue is positive, or none)      T_+ = T - e_- Q   (two are, or all)
namespace rubato {
inline namespace RUBATO_ISA {

namespace rank_one_detail {

using Symmetric = Pairwise<Triple<Lanes>>;

RUBATO_INLINE Symmetric square(const Symmetric& A)
{
    const Triple<Lanes>&d = A.diagonal, &o = A.pair;
    const Triple<Lanes> o2 = o.cwiseAbs2();
    return {{d[0] * d[0] + o2[1] + o2[2], d[1] * d[1] + o2[2] + o2[0], d[2] * d[2] + o2[0] + o2[1]},
        {o[0] * (d[1] + d[2]) + o[1] * o[2], o[1] * (d[2] + d[0]) + o[2] * o[0], o[2] * (d[0] + d[1]) + o[0] * o[1]}};
}

/// a A + b B + c
RUBATO_INLINE Symmetric combined(const Lanes& a, const Symmetric& A, const Lanes& b, const Symmetric& B, const Lanes& c)
{
    return {a * A.diagonal + (b * B.diagonal + Triple<Lanes>::Constant(c)), a * A.pair + b * B.pair};
}

/// i1 from above, where its derivative is never small: it is 8 times the product of the sums of two singular values.
/// Three of Halley's steps; `settled` where the last was short enough for the next to be round-off.
RUBATO_INLINE Lanes trace_of_stretch(const Lanes& I, const Lanes& II, const Lanes& J, LaneMask& settled)
{
    const Lanes II4 = 4 * II, J8 = 8 * J;
    Lanes x = sqrt(3 * I), step;
    for (int k = 0; k < 3; ++k) {
        const Lanes x2 = x * x, a = x2 - I;
        const Lanes g = a * a - (II4 + J8 * x), dg = 4 * x * a - J8, half_d2g = 2 * a + 4 * x2;
        step = g * dg / (dg * dg - g * half_d2g);
        x -= step;
    }
    settled = abs(step) < 1e-4 * x;
    return x;
}

/// The root x >= sqrt 3 of x^3 - 3 x = 2 r, for 0 <= r <= 1, which is 2 cos(arccos(r)/3): a polynomial to five digits,
/// then Halley's step.
RUBATO_INLINE Lanes far_root(const Lanes& r)
{
    const Lanes r2 = r * r;
    const Lanes x = (1.73205971 + 0.33285804 * r) + r2 * ((-0.09201052 + 0.03528473 * r) + r2 * -0.00819881);
    const Lanes x2 = x * x;
    const Lanes f = x * (x2 - 3) - 2 * r, df = 3 * x2 - 3;
    return x - f * df / (df * df - 3 * x * f);
}

/// T_+ for a T whose entries are of the order of 1.
RUBATO_INLINE Symmetric positive_part(const Symmetric& T)
{
    constexpr double nothing = 1e-200, far_enough = 1.7; // the third eigenvalue is at least sqrt 3 p away
    const Lanes q = T.diagonal.sum() * (1.0 / 3);
    const Triple<Lanes> d = T.diagonal - Triple<Lanes>::Constant(q);
    const Lanes p = sqrt((d.squaredNorm() + 2 * T.pair.squaredNorm()) * (1.0 / 6) + nothing);
    const Lanes per_p = 1 / p;
    const Symmetric D{per_p * d, per_p * T.pair};

    const Triple<Lanes>&e = D.diagonal, &o = D.pair;
    const Lanes half_det = 0.5 * (e.prod() + 2 * o.prod() - e.dot(o.cwiseAbs2()));
    const Lanes far = far_root(min(abs(half_det), Lanes(1)));
    const Lanes half = 0.5 * far, apart = sqrt(max(3 - 3 * half * half, Lanes(0)));
    const LaneMask mirrored = half_det < 0; // the eigenvalues are those of -|half_det|, negated
    const Lanes largest = select(mirrored, half + apart, far), smallest = select(mirrored, -far, -half - apart);
    const Lanes middle = select(mirrored, half - apart, apart - half);

    const LaneMask two = q + p * middle > 0; // at least
    const Lanes x = select(two, smallest, largest), value = q + p * x;
    const Lanes wanted = select(two, max(-value, Lanes(0)), max(value, Lanes(0)));
    const Lanes gap = max(3 * (x * x - 1), far_enough * abs(value) * per_p); // no wider than round-off leaves it
    const Lanes weight = wanted / (gap + nothing);
    const Lanes whole = select(two, p, Lanes(0));
    const Symmetric out = combined(weight, square(D), weight * x + whole, D, weight * (x * x - 3));
    return {out.diagonal + Triple<Lanes>::Constant(select(two, q, Lanes(0))), out.pair};
}

} // namespace rank_one_detail

/// N/plain, zero but in the lanes of `where`, and S; `sound` where they hold and nothing else is negative.
struct MissingTwists {
    Pairwise<Triple<Lanes>> N, S;
    LaneMask sound;
};

RUBATO_INLINE MissingTwists missing_twists(const RankOneStiffness<Lanes>& k, LaneMask where)
{
    using namespace rank_one_detail;
    constexpr double largest = 12; // of tr F F^T: beyond, and with J > 1/4, digits get lost
    const Symmetric B{k.strain.diagonal + Triple<Lanes>::Ones(), k.strain.pair};
    const Lanes I = 3 + k.strain1, II = 3 + 2 * k.strain1 + k.strain2;
    MissingTwists out;
    const Lanes i1 = trace_of_stretch(I, II, k.J, out.sound), i1_2 = i1 * i1, i2 = 0.5 * (i1_2 - I);
    const Lanes per = 1 / (i1 * i2 - k.J);
    out.S = combined(-per, square(B), per * (i1_2 - i2), B, per * i1 * k.J);

    const Lanes crossed = k.crossed / k.plain, slope = select(where, crossed / k.J, Lanes(0));
    out.N = positive_part({slope * out.S.diagonal - Triple<Lanes>::Ones(), slope * out.S.pair});
    // For crossed < 0 the other modes stay positive while |crossed|/sigma_2^2 < plain.
    const LaneMask others = (crossed > 0) | (abs(crossed) * II < k.J * k.J);
    out.sound &= (I < largest) & others & ~(k.straight < 0);
    return out;
}

} // namespace RUBATO_ISA
} // namespace rubato
