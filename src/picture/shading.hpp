#pragma once

#include "picture/body.hpp"
#include "picture/camera.hpp"
#include "picture/color.hpp"
#include "picture/sky.hpp"

#include <array>
#include <utility>
#include <vector>

namespace rubato {

/// A triangle with all that its colour depends on, in local coordinates of the camera.
struct ShadedTriangle {
    std::array<Vec3f, 3> normal;
    std::array<Light, 3> color; ///< share of light that the surface sends back
    Vec3f face; ///< unit normal of the plane; zero without area
    bool edges = false;
};

/// What is drawn, body after body.
struct Drawing {
    std::vector<std::array<Vec3f, 3>> corners;
    std::vector<ShadedTriangle> triangles;
    std::pair<double, double> values{0, 1}; ///< ends of the colour scale
};
Drawing drawing_of(const std::vector<PictureBody>& bodies, const Camera& camera, const std::optional<double>& value_low,
    const std::optional<double>& value_high);

/// Where light comes from, as unit vectors to it. It goes with the camera, so that every view is well lit.
struct Lamps {
    Vec3f up;
    Vec3f key; ///< the lamp, from above and the left
    Vec3f fill; ///< weak, from the right
    Vec3f rim; ///< from behind: lights the outline
};
Lamps lamps_for(const Camera& camera);

/// Light that a surface sends to the eye. `normal` and `to_eye` are unit vectors.
Light surface_light(
    const Lamps& lamps, const Light& color, const Vec3f& normal, const Vec3f& to_eye, const SkyLight& seen);

/// The bare backdrop at that share of the picture's height (0 top) and width.
Light backdrop(float down, float across);

/// The backdrop where it is ground from which bodies take these shares of the light of sky and lamp.
Light shaded_ground(const Light& bare, float missing_sky, float missing_lamp);

} // namespace rubato
