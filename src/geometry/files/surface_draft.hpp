#pragma once

#include "geometry/surface.hpp"

#include <cstddef>
#include <span>

namespace rubato {

/// More corners or vertices than a surface can number.
inline constexpr std::size_t most_corners = 2'000'000'000;

/// One more polygon, of at least three corners, under the names in force (names.first_polygon is not looked at).
/// `texture`: one number per corner, -1 for none; empty: none at all.
void add_polygon(
    Surface& surface, const SurfacePart& names, std::span<const Index> corners, std::span<const Index> texture = {});

} // namespace rubato
