#include "base/parallel.hpp"
#include "geometry/listing.hpp"
#include "geometry/surface_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// How far the numbers next to the largest coordinate are from it [m].
double coordinate_step(const Bounds& box)
{
    return std::numeric_limits<double>::epsilon()
        * std::max(box.low.cwiseAbs().maxCoeff(), box.high.cwiseAbs().maxCoeff());
}

/// How far the winding number just behind the triangles is from whole numbers, on average over the area (0 for closed
/// surfaces, 1/2 for a sheet), the part of the area behind which it exceeds 1/2, and the part of the area whose
/// triangles are so small against the steps of their coordinates that there is no saying what is behind them.
struct Behind {
    double blur = 0, inside = 0, unclear = 0;
};
Behind behind(const SurfaceField& field)
{
    constexpr Index samples = 4096;
    constexpr double offset = 1e-7; // of the longest side: also thin bodies of large triangles are not jumped over
    constexpr double most_offset = 1e-3;
    const double least = 64 * coordinate_step(field.bounds());
    const auto& corners = field.tree().corners();
    std::vector<double> area_up_to;
    double area = 0;
    for (const auto& [a, b, c] : corners) area_up_to.push_back(area += (b - a).cross(c - a).norm() / 2);
    if (!(area > 0)) return {};

    std::vector<double> w(samples);
    std::vector<char> unclear(samples);
    parallel_for(samples, [&](Index i) {
        const auto it = std::upper_bound(area_up_to.begin(), area_up_to.end(), (i + 0.5) / samples * area);
        const auto t = static_cast<std::size_t>(std::min(it, area_up_to.end() - 1) - area_up_to.begin());
        const auto& [a, b, c] = corners[t];
        const Vec3 u = even_place(i);
        const double s = std::sqrt(u[0]); // evenly over the triangle
        const Vec3 x = (1 - s) * a + s * (1 - u[1]) * b + s * u[1] * c;
        const Vec3 n = (b - a).cross(c - a).normalized();
        const double longest
            = std::sqrt(std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
        w[i] = field.winding(x - std::max(offset * longest, least) * n);
        unclear[i] = least > most_offset * longest;
    });
    Behind result;
    for (const char u : unclear) result.unclear += u / static_cast<double>(samples);
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
        return fmt::format("it is open: the rim of its hole is {:.3g} m long ({})", r.holes[0].length,
            counted(r.holes[0].edges, "edge", "edges"));
    }
    if (r.holes.size() > 1) {
        return fmt::format("it is open: {} holes, the longest rim {:.3g} m ({} edges)", r.holes.size(),
            r.holes[0].length, r.holes[0].edges);
    }
    if (r.one_sided > 0) return "it has one side only, like a Moebius strip, so that none of it can face outward";
    if (r.inconsistent.any()) {
        return counted(r.inconsistent.count, "edge joins", "edges join") + " triangles that face opposite sides";
    }
    if (r.inside_out > 0) return counted(r.inside_out, "component is", "components are") + " inside out";
    if (r.crossing > 0) return counted(r.crossing, "pair", "pairs") + " of its triangles cross";
    if (r.non_manifold.any()) {
        return counted(r.non_manifold.count, "edge belongs", "edges belong") + " to more than two triangles";
    }
    return "it is too thin, or too far from the origin, for double precision";
}

} // namespace

std::optional<std::string> not_a_solid(const SurfaceField& field, const SurfaceReport& r)
{
    constexpr double most_blur = 0.1;
    constexpr double most_spread = 0.1;
    // Moments of the winding number go up to the seventh power of lengths.
    constexpr double least_size = 1e-40;
    constexpr double most_size = 1e40;
    const bool too_small = r.diagonal > 0 && r.diagonal < least_size;
    if (too_small || !(r.diagonal <= most_size)) {
        return fmt::format(
            "the surface is too {} for double precision: the diagonal of its box is {:.3g} m, it must lie "
            "between {:g} and {:g} m",
            too_small ? "small" : "large", r.diagonal, least_size, most_size);
    }
    if (std::optional<std::string> stray = stray_vertex(field.mesh())) return stray;
    if (field.tree().empty() || !(r.area > 0)) return "the surface has no area, so it encloses no volume";

    const Behind near = behind(field);
    if (near.unclear > 0.5) {
        return fmt::format(
            "the surface is too far from the origin for double precision: its coordinates can only change "
            "in steps of {:.2g} m, its box measures {:.3g} m; move it nearer",
            coordinate_step(field.bounds()), r.diagonal);
    }
    if (near.blur > most_blur) {
        return fmt::format("the surface does not enclose a volume: {}; its inside and outside cannot be told apart "
                           "(winding numbers are off whole numbers by {:.3f} on average, at most {} is trusted)",
            likely_cause(r), near.blur, most_blur);
    }
    const Volumes v = volumes(field);
    if (v.middle < 50) { // a body too thin to be hit by chance shows behind its own triangles
        if (near.inside > 0.5 && r.signed_volume > 0) return std::nullopt;
        return fmt::format("the surface encloses no volume: {}", likely_cause(r));
    }
    if (static_cast<double>(v.negative) > 0.02 * static_cast<double>(v.middle)) {
        if (r.one_sided > 0) return fmt::format("the surface does not enclose a volume: {}", likely_cause(r));
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
