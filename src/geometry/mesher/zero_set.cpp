#include "geometry/mesher/zero_set.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

namespace rubato::mesher {

double ZeroSet::value(const Vec3& p) const
{
    const double f = field_.value(p);
    if (!std::isfinite(f)) {
        throw InputError(Mistake{"", 0, "field", fmt::format("{}", f),
            fmt::format("the field of the body must be finite; it is not at ({}, {}, {})", p[0], p[1], p[2])});
    }
    return f;
}

Vec3 ZeroSet::between(const Vec3& a, double fa, const Vec3& b, double fb) const
{
    // The false position converges at once on a field that is nearly a distance; every third step halves, so that a
    // jump is found as well.
    double lo = 0, hi = 1, flo = fa, fhi = fb;
    const double near = 1e-4 * length_, span = (b - a).norm();
    for (int i = 0; i < 40 && (hi - lo) * span > near; ++i) {
        double t = i % 3 == 2 ? (lo + hi) / 2 : lo + (hi - lo) * flo / (flo - fhi);
        const double rim = 0.01 * (hi - lo);
        t = std::clamp(t, lo + rim, hi - rim);
        const double f = value(a + t * (b - a));
        if (std::abs(f) < 0.02 * near) return a + t * (b - a);
        if ((f < 0) == (flo < 0)) {
            lo = t, flo = f;
        } else {
            hi = t, fhi = f;
        }
    }
    const double t = flo == fhi ? (lo + hi) / 2 : lo + (hi - lo) * std::clamp(flo / (flo - fhi), 0.0, 1.0);
    return a + t * (b - a);
}

std::optional<Vec3> ZeroSet::along(const Vec3& p, const Vec3& n, double reach) const
{
    const double f = value(p);
    if (std::abs(f) < 2e-6 * length_) return p;
    const double way = f < 0 ? 1 : -1; // inside: outward
    double t = 0, ft = f;
    double step = std::clamp(1.05 * std::abs(f), 1e-4 * length_, reach);
    while (true) {
        const double next = std::min(t + step, reach);
        const double fn = value(p + way * next * n);
        if ((fn < 0) != (f < 0)) return between(p + way * t * n, ft, p + way * next * n, fn);
        if (next >= reach) return std::nullopt;
        t = next, ft = fn;
        step = std::max(1.05 * std::abs(fn), 2 * step);
    }
}

Vec3 ZeroSet::normal(const Vec3& p) const
{
    // four values at the corners of a tetrahedron: sum of d (d . g) = 4 g for the corners d of a cube that it uses
    const double e = 6e-4 * length_;
    Vec3 g = Vec3::Zero();
    for (const Vec3& d : {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)}) g += value(p + e * d) * d;
    const double l = g.norm();
    return l > 0 ? (g / l).eval() : Vec3::Zero().eval();
}

} // namespace rubato::mesher
