#pragma once

#include "materials/material.hpp"
#include "potentials/isa/symmetric3_lanes.hpp"

/// What makes eight RankOneStiffnesses positive semidefinite, without singular vectors
/// (docs/derivations/rank_one_projection.md). With F = S R, S symmetric and R a rotation, sigma_k the eigenvalues of S:
///
///     plain + crossed/(sigma_i sigma_j)   symmetric modes     not negative for crossed >= 0; nor are the scaling modes
///                                                             for crossed >= 0 and straight >= 0
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
/// and the positive part of T = q + p D, D with trace 0 and tr D^2 = 6, from that eigenvalue e = q + p x alone which
/// has no other on its side of zero:
///
///     Q = (D^2 + x D + x^2 - 3)/(3 (x^2 - 1))      projects onto its eigenvector
///     T_+ = e_+ Q   (one eigenvalue is positive, or none)      T_+ = T - e_- Q   (two are, or all)
namespace rubato {
inline namespace RUBATO_ISA {

namespace rank_one_detail {

/// i1, starting from sqrt(3 I), which it cannot exceed, less what the spread of the singular values takes off to first
/// order; Halley's steps, whose denominator is never small: the quartic's derivative is 8 times the product of the sums
/// of two singular values. `settled` where the next step would be round-off.
RUBATO_INLINE Lanes trace_of_stretch(const Lanes& I, const Lanes& II, const Lanes& J, LaneMask& settled)
{
    constexpr int usual_steps = 2, most_steps = 4;
    constexpr double small = 1e-5; // Halley's steps converge cubically
    const Lanes II4 = 4 * II, J8 = 8 * J;
    const Lanes spread = 1 - 3 * II / (I * I);
    Lanes x = sqrt(3 * I) * (1 - 0.25 * spread);
    settled = x < 0; // nowhere
    for (int k = 0; k < most_steps; ++k) {
        const Lanes x2 = x * x, a = x2 - I;
        const Lanes g = a * a - (II4 + J8 * x), dg = 4 * x * a - J8, half_d2g = 2 * a + 4 * x2;
        const Lanes step = g * dg / (dg * dg - g * half_d2g);
        x -= select(settled, Lanes(0), step); // what a lane gives does not depend on the others
        if (k + 1 < usual_steps) continue;
        settled = settled | (abs(step) < small * x);
        if (bits_of(settled) == all_bits) break;
    }
    return x;
}

/// T_+ for a T whose entries are of the order of 1.
RUBATO_INLINE Symmetric3Lanes positive_part(const Symmetric3Lanes& T)
{
    constexpr double nothing = 1e-200, far_enough = 1.7; // the third eigenvalue is at least sqrt 3 p away
    const Deviator t(T);
    const Lanes half = 0.5 * t.far, apart = sqrt(max(3 - 3 * half * half, Lanes(0)));
    const Lanes largest = select(t.mirrored, half + apart, t.far), smallest = select(t.mirrored, -t.far, -half - apart);
    const Lanes middle = select(t.mirrored, half - apart, apart - half);

    const LaneMask two = t.q + t.p * middle > 0; // at least
    const Lanes x = select(two, smallest, largest), value = t.q + t.p * x;
    const Lanes wanted = select(two, max(-value, Lanes(0)), max(value, Lanes(0)));
    const Lanes gap = max(3 * (x * x - 1), far_enough * abs(value) * t.per_p); // round-off must not close it
    const Lanes weight = wanted / (gap + nothing);
    const Lanes whole = select(two, t.p, Lanes(0));
    const Symmetric3Lanes out = combined(weight, square(t.D), weight * x + whole, t.D, weight * (x * x - 3));
    return {out.diagonal + Triple<Lanes>::Constant(select(two, t.q, Lanes(0))), out.pair};
}

} // namespace rank_one_detail

/// S, zero but in the lanes of `where`; `sound` where it is as exact as round-off allows.
struct Stretch {
    Symmetric3Lanes S;
    LaneMask sound;
};

RUBATO_INLINE Stretch stretch_of(const RankOneStiffness<Lanes>& k, LaneMask where)
{
    using namespace rank_one_detail;
    constexpr double largest = 12; // of tr F F^T, with J > 1/4
    const Symmetric3Lanes B{k.strain.diagonal + Triple<Lanes>::Ones(), k.strain.pair};
    const Lanes I = 3 + k.strain1, II = 3 + 2 * k.strain1 + k.strain2;
    Stretch out;
    const Lanes i1 = trace_of_stretch(I, II, k.J, out.sound), i1_2 = i1 * i1, i2 = 0.5 * (i1_2 - I);
    out.sound &= I < largest;
    const Lanes per = 1 / (i1 * i2 - k.J);
    const Symmetric3Lanes S = combined(-per, square(B), per * (i1_2 - i2), B, per * (i1 * k.J));
    for (int i = 0; i < 3; ++i) { // others may be out of scale and must not spoil what does not need it
        out.S.diagonal[i] = select(where, S.diagonal[i], Lanes(0));
        out.S.pair[i] = select(where, S.pair[i], Lanes(0));
    }
    return out;
}

/// N in the lanes of `where`, zero in others.
RUBATO_INLINE Symmetric3Lanes missing_twists(const RankOneStiffness<Lanes>& k, const Stretch& stretch, LaneMask where)
{
    const Lanes slope = select(where, k.crossed / (k.J * k.plain), Lanes(0));
    const Symmetric3Lanes N
        = rank_one_detail::positive_part({slope * stretch.S.diagonal - Triple<Lanes>::Ones(), slope * stretch.S.pair});
    return {k.plain * N.diagonal, k.plain * N.pair};
}

/// Whether no other mode is negative: for crossed < 0 they are not while |crossed|/sigma_2^2 < plain.
RUBATO_INLINE LaneMask twists_are_all(const RankOneStiffness<Lanes>& k)
{
    const Lanes II = 3 + 2 * k.strain1 + k.strain2; // at least (J/sigma_2)^2
    return ((k.crossed > 0) | (abs(k.crossed) * II < k.plain * (k.J * k.J))) & ~(k.straight < 0);
}

} // namespace RUBATO_ISA
} // namespace rubato
