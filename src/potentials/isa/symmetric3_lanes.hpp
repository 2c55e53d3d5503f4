#pragma once

#include "materials/pairs.hpp"
#include "math/lanes.hpp"
#include "math/triple.hpp"

/// Eigenvalues of eight symmetric 3x3 matrices without iterations (the trigonometric solution of the cubic):
///
///     A = q + p D,   tr D = 0,  tr D^2 = 6         eigenvalues x of D:  x^3 - 3 x = 2 r,   r = det D/2 in [-1, 1]
///
/// For r >= 0 one of them lies between sqrt 3 and 2, away from the two others; for r < 0 all signs are the other way
/// round. It is exact to round-off; the two others are when they are apart.
namespace rubato {
inline namespace RUBATO_ISA {

using Symmetric3Lanes = Pairwise<Triple<Lanes>>;

RUBATO_INLINE Symmetric3Lanes square(const Symmetric3Lanes& A)
{
    const Triple<Lanes>&d = A.diagonal, &o = A.pair;
    const Triple<Lanes> o2 = o.cwiseAbs2();
    return {{d[0] * d[0] + o2[1] + o2[2], d[1] * d[1] + o2[2] + o2[0], d[2] * d[2] + o2[0] + o2[1]},
        {o[0] * (d[1] + d[2]) + o[1] * o[2], o[1] * (d[2] + d[0]) + o[2] * o[0], o[2] * (d[0] + d[1]) + o[0] * o[1]}};
}

/// a A + b B + c
RUBATO_INLINE Symmetric3Lanes combined(
    const Lanes& a, const Symmetric3Lanes& A, const Lanes& b, const Symmetric3Lanes& B, const Lanes& c)
{
    return {a * A.diagonal + (b * B.diagonal + Triple<Lanes>::Constant(c)), a * A.pair + b * B.pair};
}

/// 2 cos(arccos(r)/3), the root x >= sqrt 3 of x^3 - 3 x = 2 r for 0 <= r <= 1: a polynomial to five digits, then
/// Halley's step.
RUBATO_INLINE Lanes far_root(const Lanes& r)
{
    const Lanes r2 = r * r;
    const Lanes x = (1.73205971 + 0.33285804 * r) + r2 * ((-0.09201052 + 0.03528473 * r) + r2 * -0.00819881);
    const Lanes x2 = x * x;
    const Lanes f = x * (x2 - 3) - 2 * r, df = 3 * x2 - 3;
    return x - f * df / (df * df - 3 * x * f);
}

struct Deviator {
    Lanes q, p, per_p; ///< p > 0
    Symmetric3Lanes D;
    Lanes far; ///< the size of the eigenvalue of D that is away from the others
    LaneMask mirrored; ///< where that is negative

    RUBATO_INLINE explicit Deviator(const Symmetric3Lanes& A)
    {
        constexpr double nothing = 1e-200;
        q = A.diagonal.sum() * (1.0 / 3);
        const Triple<Lanes> d = A.diagonal - Triple<Lanes>::Constant(q);
        p = sqrt((d.squaredNorm() + 2 * A.pair.squaredNorm()) * (1.0 / 6) + nothing);
        per_p = 1 / p;
        D = {per_p * d, per_p * A.pair};
        const Triple<Lanes>&e = D.diagonal, &o = D.pair;
        const Lanes r = 0.5 * (e.prod() + 2 * o.prod() - e.dot(o.cwiseAbs2()));
        far = far_root(min(abs(r), Lanes(1)));
        mirrored = r < 0;
    }
};

} // namespace RUBATO_ISA
} // namespace rubato
