#pragma once

#include "picture/body.hpp"

#include <array>
#include <vector>

namespace rubato {

/// Small balls at these points, so that particles can be seen. A radius of 0 or less gives nothing.
PictureBody beads(const std::vector<Vec3>& points, double radius);

/// Thin rods between pairs of points, so that springs and bars can be seen. Rods without length are left out; a pair
/// that names a point that is not there is an InputError.
PictureBody rods(const std::vector<Vec3>& points, const std::vector<std::array<Index, 2>>& pairs, double radius);

} // namespace rubato
