#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rubato {

namespace z_order_detail {

/// The lowest 21 bits of x, two zeros between any two.
inline std::uint64_t spread(std::uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

} // namespace z_order_detail

/// The order in which a Z-shaped curve that fills space meets some points: neighbours in it are close in space.
inline std::vector<std::size_t> z_order(const std::vector<Vec3>& points)
{
    Vec3 low = Vec3::Constant(1e300), high = -low;
    for (const Vec3& p : points) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    const double size = points.empty() ? 1 : std::max((high - low).maxCoeff(), 1e-300);
    std::vector<std::pair<std::uint64_t, std::size_t>> keys;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 at = (points[i] - low) / size * 0x1fffff;
        std::uint64_t key = 0;
        for (int k = 0; k < 3; ++k) key |= z_order_detail::spread(static_cast<std::uint64_t>(at[k])) << k;
        keys.emplace_back(key, i);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::size_t> order;
    for (const auto& [key, i] : keys) order.push_back(i);
    return order;
}

} // namespace rubato
