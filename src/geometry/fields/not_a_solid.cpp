#include "base/parallel.hpp"
#include "geometry/surface_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

/// Place i of a sequence that fills the unit cube evenly: multiples of powers of the root g of g^4 = g + 1
/// (M. Roberts, The unreasonable effectiveness of quasirandom sequences, 2018).
Vec3 even_place(Index i)
{
    constexpr double g = 1.2207440846057596;
    auto part = [](double x) { return x - std::floor(x); };
    return {part(0.5 + i / g), part(0.5 + i / (g * g)), part(0.5 + i / (g * g * g))};
}

/// How far the winding number just behind the triangles is from whole numbers, on average over the area (0 for closed
/// surfaces, 1/2 for a sheet), and the part of the area behind which it exceeds 1/2.
struct Behind {
    double blur = 0, inside = 0;
};
Behind behind(const SurfaceField& field, double diagonal)
{
    constexpr Index samples = 4096;
    const auto& corners = field.tree().corners();
    std::vector<double> area_up_to;
    double area = 0;
    for (const auto& [a, b, c] : corners) area_up_to.push_back(area += (b - a).cross(c - a).norm() / 2);
    if (!(area > 0)) return {};

    std::vector<double> w(samples);
    parallel_for(samples, [&](Index i) {
        const auto it = std::upper_bound(area_up_to.begin(), area_up_to.end(), (i + 0.5) / samples * area);
        const auto t = static_cast<std::size_t>(std::min(it, area_up_to.end() - 1) - area_up_to.begin());
        const auto& [a, b, c] = corners[t];
        const Vec3 u = even_place(i);
        const double s = std::sqrt(u[0]); // evenly over the triangle
        const Vec3 x = (1 - s) * a + s * (1 - u[1]) * b + s * u[1] * c;
        const Vec3 n = (b - a).cross(c - a).normalized();
        w[i] = field.winding(x - 1e-5 * diagonal * n);
    });
    Behind result;
    for (const double x : w) {
        result.blur += std::abs(x - std::round(x)) / samples;
        result.inside += (x > 0.5) / static_cast<double>(samples);
    }
    return result;
}

/// Volumes by counting: where the winding number exceeds a threshold.
struct Volumes {
    std::int64_t low = 0, middle = 0, high = 0; ///< above 0.3, 0.5, 0.7
    std::int64_t negative = 0; ///< below -0.5
    double each = 0; ///< volume that a count stands for [m^3]
};
Volumes volumes(const SurfaceField& field)
{
    constexpr Index batch = 16384;
    constexpr int most_batches = 8; // bodies that fill little of their box need more places
    constexpr std::int64_t enough = 3000;
    const Bounds box = field.bounds();
    const Vec3 size = 1.1 * box.size();
    const Vec3 low = box.center() - size / 2;
    Volumes v;
    std::vector<double> w(batch);
    for (int k = 0; k < most_batches && v.low < enough; ++k) {
        parallel_for(batch, [&](Index i) { w[i] = field.winding(low + size.cwiseProduct(even_place(k * batch + i))); });
        for (const double x : w) {
            v.low += x > 0.3;
            v.middle += x > 0.5;
            v.high += x > 0.7;
            v.negative += x < -0.5;
        }
        v.each = size.prod() / ((k + 1.0) * batch);
    }
    return v;
}

/// What the user can do something about.
std::string likely_cause(const SurfaceReport& r)
{
    if (r.holes.size() == 1) {
        return fmt::format(
            "it is open: the rim of its hole is {:.3g} m long ({} edges)", r.holes[0].length, r.holes[0].edges);
    }
    if (r.holes.size() > 1) {
        return fmt::format("it is open: {} holes, the longest rim {:.3g} m ({} edges)", r.holes.size(),
            r.holes[0].length, r.holes[0].edges);
    }
    if (r.inconsistent.any())
        return fmt::format("{} edges join triangles that face opposite sides", r.inconsistent.count);
    if (r.inside_out > 0) return fmt::format("{} of its components are inside out", r.inside_out);
    return fmt::format("{} pairs of its triangles cross", r.crossing);
}

} // namespace

std::optional<std::string> not_a_solid(const SurfaceField& field, const SurfaceReport& r)
{
    constexpr double most_blur = 0.1;
    constexpr double most_spread = 0.1;
    if (field.tree().empty() || !(r.area > 0)) return "the surface has no area, so it encloses no volume";

    const Behind near = behind(field, r.diagonal);
    if (near.blur > most_blur) {
        return fmt::format("the surface does not enclose a volume: {}; its inside and outside cannot be told apart "
                           "(winding numbers are off whole numbers by {:.2f} on average, at most {} is trusted)",
            likely_cause(r), near.blur, most_blur);
    }
    const Volumes v = volumes(field);
    if (v.middle < 50) { // a body too thin to be hit by chance shows behind its own triangles
        if (near.inside > 0.5 && r.signed_volume > 0) return std::nullopt;
        return fmt::format("the surface encloses no volume: {}", likely_cause(r));
    }
    if (static_cast<double>(v.negative) > 0.02 * static_cast<double>(v.middle)) {
        return fmt::format("part of the surface is inside out: {}; it takes away {:.3g} m^3 where there is nothing",
            likely_cause(r), static_cast<double>(v.negative) * v.each);
    }
    const double spread = static_cast<double>(v.low - v.high) / static_cast<double>(v.middle);
    if (spread > most_spread) {
        return fmt::format(
            "the volume within the surface cannot be trusted: {}; it lies between {:.3g} and {:.3g} m^3, "
            "depending on how the surface is closed",
            likely_cause(r), static_cast<double>(v.high) * v.each, static_cast<double>(v.low) * v.each);
    }
    return std::nullopt;
}

} // namespace rubato
