#pragma once

#include "base/types.hpp"

#include <vector>

namespace rubato {

/// An axis-aligned box.
struct Bounds {
    Vec3 low = Vec3::Zero(); ///< [m]
    Vec3 high = Vec3::Zero();

    Vec3 size() const { return high - low; }
    Vec3 center() const { return (low + high) / 2; }
    double diagonal() const { return (high - low).norm(); } ///< [m]
};
Bounds bounds(const std::vector<Vec3>& nodes); ///< zero for no nodes

} // namespace rubato
