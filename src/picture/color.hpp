#pragma once

#include "picture/image.hpp"

#include <Eigen/Core>

namespace rubato {

using Light = Eigen::Vector3f; ///< red, green, blue, proportional to the physical amount of light; 1 is white paper

Light light_of(Rgb color); ///< sRGB decoded
Rgb rgb_of(const Light& light); ///< sRGB encoded, rounded; beyond 0 and 1 it is clipped

/// Colour of body i: ten that are easy to tell apart, then the same ten lighter and darker.
Rgb body_color(int i);

/// Colour of a share in [0, 1] (clipped): indigo, blue, teal, green, yellow, ever lighter, so that it reads in grey
/// too.
Rgb map_color(double share);

inline constexpr Rgb no_value_color{150, 150, 150}; ///< of a value that is not finite
inline constexpr Rgb cut_color{246, 205, 122}; ///< inner faces that a cut has laid open

} // namespace rubato
