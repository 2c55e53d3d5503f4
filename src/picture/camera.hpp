#pragma once

#include "geometry/bounds.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// Where one looks from. With y up: front from +z, side from +x, top from +y, three_quarter from the front, the right
/// and above. With another `up` these turn along; z up: front from -y, side from +x.
enum class View { three_quarter, front, side, top };

/// The view of that name ("three-quarter", "front", "side", "top"); an unknown name is an InputError.
View view_named(std::string_view name);
std::vector<std::string> view_names();

struct CameraOptions {
    View view = View::three_quarter;
    std::optional<Vec3> direction = {}; ///< from the bodies to the eye, instead of a named view; any length but zero
    Vec3 up = Vec3::UnitY(); ///< up in the world, e.g. minus gravity; any length but zero
    bool perspective = true; ///< false: parallel rays
    double field_of_view = 26; ///< of the shorter side of the picture [degrees], 1 to 120
    double margin = 0.07; ///< share of the picture left free at each side, 0 to 0.4
    double aspect = 4.0 / 3; ///< width over height
};

/// Where a point lands in the picture.
struct Projection {
    double x = 0, y = 0; ///< -1 left or bottom, 1 right or top
    double depth = 0; ///< distance from the eye along the direction of view, in `Camera::reach`
};

/// Maps space to the picture. Inside, lengths are counted in `reach` from `target`, so that scenes of any size, from
/// atoms to galaxies, give the same well-scaled numbers.
struct Camera {
    Vec3 target = Vec3::Zero(); ///< middle of what was framed [m]
    double reach = 1; ///< half the longest side of what was framed [m]
    Vec3 right = Vec3::UnitX(), up = Vec3::UnitY(), back = Vec3::UnitZ(); ///< unit axes; `back` points to the eye
    Vec3 world_up = Vec3::UnitY(); ///< unit
    Vec3 eye = Vec3(0, 0, 5); ///< along right, up, back, from `target`, in `reach`
    bool perspective = true;
    double half_width = 0.3,
           half_height = 0.225; ///< of the picture, at distance 1 (perspective) or anywhere, in `reach`

    Vec3 local(const Vec3& point) const; ///< (point - target) / reach, without overflow
    Projection project_local(const Vec3& local_point) const;
    Projection project(const Vec3& point) const { return project_local(local(point)); }
    Vec3 direction_to_eye(const Vec3& local_point) const; ///< unit
};

/// The camera from which these points fill the picture but for the margin. No points, or a single place: a cube of 1 m
/// around it. An `up` or a direction that is zero, a field of view, a margin or an aspect out of range, or a point that
/// is not finite is an InputError.
Camera framing(std::span<const Vec3> points, const CameraOptions& options = {});
Camera framing(const Bounds& box, const CameraOptions& options = {});

/// Right, up and front of a world with that `up`, as unit columns: what the named views are made of.
Mat3 world_axes(const Vec3& up);

/// InputError that names the first coordinate that is not finite, as `name`[i].
void require_finite(std::span<const Vec3> points, const std::string& name);

} // namespace rubato
