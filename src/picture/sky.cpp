#include "picture/sky.hpp"

#include "base/parallel.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace rubato {

namespace {

constexpr float lamp_half_angle = 0.13f; ///< [rad]
constexpr float lowest_sky = 0.17f; ///< sine of the elevation below which the sky sends nothing

Vec3f perpendicular(const Vec3f& d)
{
    const Vec3f other = std::abs(d.x()) < 0.8f ? Vec3f::UnitX() : Vec3f::UnitY();
    return d.cross(other).normalized();
}

} // namespace

Sky::Sky(const std::vector<std::array<Vec3f, 3>>& triangles, const Vec3f& up, const Vec3f& lamp, int picture_side)
{
    const bool many = triangles.size() > 300'000; // then the maps, not the pixels, take the time
    const int sky_count = many ? 28 : 48, lamp_count = many ? 14 : 24;
    side_ = std::clamp(picture_side * 2 / 5, 128, 640);

    Vec3f low = Vec3f::Constant(std::numeric_limits<float>::max()), high = -low;
    for (const auto& t : triangles) {
        for (const Vec3f& p : t) {
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
    }
    if (!triangles.empty()) center_ = (low + high) / 2;
    for (const auto& t : triangles) {
        for (const Vec3f& p : t) radius_ = std::max(radius_, (p - center_).norm());
    }
    if (!(radius_ > 0)) return; // nothing stands in the light
    per_texel_ = 2 * radius_ / static_cast<float>(side_ - 4);

    // Both discs are filled by the golden angle; the sky evenly over sines of elevation, the lamp evenly over its area.
    const float golden = std::numbers::pi_v<float> * (3 - std::sqrt(5.0f));
    const auto add = [&](const Vec3f& axis, float sine, float cosine, int i, bool is_lamp) {
        const Vec3f a = perpendicular(axis), b = axis.cross(a);
        const float turn = golden * static_cast<float>(i);
        const Vec3f d = (cosine * axis + sine * (std::cos(turn) * a + std::sin(turn) * b)).normalized();
        const Vec3f s = perpendicular(d);
        directions_.push_back({s / per_texel_, d.cross(s) / per_texel_, d, is_lamp});
    };
    for (int i = 0; i < sky_count; ++i) {
        const float h = lowest_sky + (1 - lowest_sky) * (static_cast<float>(i) + 0.5f) / static_cast<float>(sky_count);
        add(up, std::sqrt(1 - h * h), h, i, false);
    }
    for (int i = 0; i < lamp_count; ++i) {
        const float r = lamp_half_angle * std::sqrt((static_cast<float>(i) + 0.5f) / static_cast<float>(lamp_count));
        add(lamp, std::sin(r), std::cos(r), i, true);
    }

    heights_.assign(
        directions_.size() * static_cast<std::size_t>(side_ * side_), -std::numeric_limits<float>::infinity());
    parallel_for(
        static_cast<Index>(directions_.size()), [&](Index k) { draw_map(static_cast<std::size_t>(k), triangles); }, 1);
}

void Sky::draw_map(std::size_t k, const std::vector<std::array<Vec3f, 3>>& triangles)
{
    const Direction& dir = directions_[k];
    float* map = heights_.data() + k * static_cast<std::size_t>(side_ * side_);
    const float middle = static_cast<float>(side_) / 2;
    for (const auto& corners : triangles) {
        float x[3], y[3], z[3];
        for (int c = 0; c < 3; ++c) {
            const Vec3f p = corners[static_cast<std::size_t>(c)] - center_;
            x[c] = middle + p.dot(dir.s);
            y[c] = middle + p.dot(dir.t);
            z[c] = p.dot(dir.d);
        }
        // Texels are sampled at their centres, i + 1/2.
        const int i0 = std::max(0, static_cast<int>(std::ceil(std::min({x[0], x[1], x[2]}) - 0.5f)));
        const int i1 = std::min(side_ - 1, static_cast<int>(std::floor(std::max({x[0], x[1], x[2]}) - 0.5f)));
        const int j0 = std::max(0, static_cast<int>(std::ceil(std::min({y[0], y[1], y[2]}) - 0.5f)));
        const int j1 = std::min(side_ - 1, static_cast<int>(std::floor(std::max({y[0], y[1], y[2]}) - 0.5f)));
        if (i0 > i1 || j0 > j1) continue;
        const float area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
        if (!(std::abs(area) > 1e-12f)) continue;
        // Shares of the corners, and the height with them, are linear in the place: value, change along i and along j.
        const float over = 1 / area;
        const float a_i = (y[1] - y[2]) * over, a_j = (x[2] - x[1]) * over;
        const float b_i = (y[2] - y[0]) * over, b_j = (x[0] - x[2]) * over;
        for (int j = j0; j <= j1; ++j) {
            const float py = static_cast<float>(j) + 0.5f;
            float* row = map + j * side_;
            for (int i = i0; i <= i1; ++i) {
                const float px = static_cast<float>(i) + 0.5f;
                const float a = (px - x[2]) * a_i + (py - y[2]) * a_j, b = (px - x[2]) * b_i + (py - y[2]) * b_j;
                const float c = 1 - a - b;
                if (std::min({a, b, c}) < -1e-5f) continue;
                row[i] = std::max(row[i], a * z[0] + b * z[1] + c * z[2]);
            }
        }
    }
}

/// Four texels around the point vote, weighted by how near they are.
float Sky::visible(std::size_t k, const Vec3f& p) const
{
    const Direction& dir = directions_[k];
    const float middle = static_cast<float>(side_) / 2 - 0.5f;
    const float x = middle + p.dot(dir.s), y = middle + p.dot(dir.t);
    if (!(x >= 0 && y >= 0 && x < static_cast<float>(side_ - 1) && y < static_cast<float>(side_ - 1))) return 1;
    const int i = static_cast<int>(x), j = static_cast<int>(y);
    const float fx = x - static_cast<float>(i), fy = y - static_cast<float>(j);
    const float z = p.dot(dir.d) + per_texel_;
    const float* at
        = heights_.data() + k * static_cast<std::size_t>(side_ * side_) + static_cast<std::size_t>(j * side_ + i);
    const float top = (at[0] <= z ? 1 - fx : 0) + (at[1] <= z ? fx : 0);
    const float bottom = (at[side_] <= z ? 1 - fx : 0) + (at[side_ + 1] <= z ? fx : 0);
    return (1 - fy) * top + fy * bottom;
}

SkyLight Sky::at(const Vec3f& point, const Vec3f& normal) const
{
    if (directions_.empty()) return {};
    // Off the surface by more than a texel, or it would stand in its own light.
    const Vec3f p = point - center_ + 1.8f * per_texel_ * normal;
    float sky = 0, sky_weight = 0, lamp = 0, lamp_count = 0;
    for (std::size_t k = 0; k < directions_.size(); ++k) {
        const float facing = normal.dot(directions_[k].d);
        if (directions_[k].lamp) {
            lamp_count += 1;
            if (facing > 0) lamp += visible(k, p);
        } else {
            const float weight = 0.02f + std::max(0.0f, 0.75f * facing + 0.25f); // some light comes round the corner
            sky_weight += weight;
            if (facing > -0.3f) sky += weight * visible(k, p);
        }
    }
    return {sky / sky_weight, lamp / lamp_count};
}

} // namespace rubato
