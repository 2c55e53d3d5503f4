#include "picture/color.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rubato {

namespace {

float decoded(std::uint8_t code)
{
    const float c = static_cast<float>(code) / 255.0f;
    return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

std::uint8_t code_of(float light)
{
    const float l = std::clamp(light, 0.0f, 1.0f);
    const float c = l <= 0.0031308f ? 12.92f * l : 1.055f * std::pow(l, 1 / 2.4f) - 0.055f;
    return static_cast<std::uint8_t>(std::lround(255.0f * c));
}

/// Between two colours, mixed as light's cube root, which is close to how bright the eye finds it.
Rgb mixed(Rgb from, Rgb to, float share)
{
    const Eigen::Array3f a = light_of(from).array().pow(1 / 3.0f);
    const Eigen::Array3f b = light_of(to).array().pow(1 / 3.0f);
    return rgb_of(((1 - share) * a + share * b).cube().matrix());
}

constexpr std::array<Rgb, 10> bodies{{
    {240, 113, 79}, // coral
    {62, 150, 200}, // blue
    {236, 178, 66}, // amber
    {88, 164, 112}, // green
    {140, 106, 176}, // violet
    {218, 126, 168}, // rose
    {160, 112, 74}, // brown
    {104, 184, 214}, // sky
    {160, 170, 66}, // olive
    {98, 112, 134}, // slate
}};

constexpr std::array<Rgb, 6> map_stops{{
    {46, 36, 104},
    {52, 88, 168},
    {38, 138, 166},
    {66, 182, 132},
    {168, 212, 84},
    {252, 232, 96},
}};

} // namespace

Light light_of(Rgb color) { return {decoded(color.r), decoded(color.g), decoded(color.b)}; }

Rgb rgb_of(const Light& light) { return {code_of(light[0]), code_of(light[1]), code_of(light[2])}; }

Rgb body_color(int i)
{
    const int n = std::max(i, 0);
    const Rgb base = bodies[static_cast<std::size_t>(n) % bodies.size()];
    switch (n / static_cast<int>(bodies.size()) % 3) {
    case 1: return mixed(base, {255, 255, 255}, 0.4f);
    case 2: return mixed(base, {0, 0, 0}, 0.3f);
    default: return base;
    }
}

Rgb map_color(double share)
{
    if (!std::isfinite(share)) return no_value_color;
    const double place = std::clamp(share, 0.0, 1.0) * (map_stops.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(place), map_stops.size() - 2);
    return mixed(map_stops[below], map_stops[below + 1], static_cast<float>(place - static_cast<double>(below)));
}

} // namespace rubato
