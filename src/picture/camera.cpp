#include "picture/camera.hpp"

#include "base/errors.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace rubato {

namespace {

constexpr std::array<std::pair<std::string_view, View>, 4> views{{
    {"three-quarter", View::three_quarter},
    {"front", View::front},
    {"side", View::side},
    {"top", View::top},
}};

/// A unit vector along v, whatever its length.
Vec3 unit(const Vec3& v, const char* name)
{
    const double largest = v.cwiseAbs().maxCoeff();
    if (!v.allFinite() || largest == 0) {
        throw InputError({.key = name,
            .value = fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()),
            .message = "must be finite and not zero"});
    }
    return (v / largest).normalized();
}

void require_between(double value, double low, double high, const char* name)
{
    if (!(value >= low && value <= high)) {
        throw InputError({.key = name,
            .value = fmt::format("{}", value),
            .message = fmt::format("must be from {} to {}", low, high)});
    }
}

Vec3 named_direction(View view, const Mat3& axes)
{
    switch (view) {
    case View::front: return axes.col(2);
    case View::side: return axes.col(0);
    case View::top: return axes.col(1);
    case View::three_quarter: break;
    }
    return (axes * Vec3(0.55, 0.42, 0.78)).normalized();
}

} // namespace

View view_named(std::string_view name)
{
    for (const auto& [known, view] : views) {
        if (known == name) return view;
    }
    throw InputError({.key = "view",
        .value = std::string(name),
        .message = fmt::format("must be one of {}", fmt::join(view_names(), ", "))});
}

std::vector<std::string> view_names()
{
    std::vector<std::string> names;
    for (const auto& [name, view] : views) names.emplace_back(name);
    return names;
}

Mat3 world_axes(const Vec3& up)
{
    const Vec3 u = unit(up, "up");
    const Vec3 sideways = std::abs(u.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
    Mat3 axes;
    axes.col(1) = u;
    axes.col(0) = (sideways - sideways.dot(u) * u).normalized();
    axes.col(2) = axes.col(0).cross(u);
    return axes;
}

Vec3 Camera::local(const Vec3& point) const { return (point / 2 - target / 2) / (reach / 2); }

Projection Camera::project_local(const Vec3& p) const
{
    const Vec3 seen(p.dot(right) - eye.x(), p.dot(up) - eye.y(), eye.z() - p.dot(back));
    const double w = perspective ? seen.z() : 1.0;
    return {.x = seen.x() / (w * half_width), .y = seen.y() / (w * half_height), .depth = seen.z()};
}

Vec3 Camera::direction_to_eye(const Vec3& p) const
{
    if (!perspective) return back;
    return (eye.x() * right + eye.y() * up + eye.z() * back - p).normalized();
}

void require_finite(std::span<const Vec3> points, const std::string& name)
{
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3& p = points[i];
        if (p.allFinite()) continue;
        throw InputError({.key = fmt::format("{}[{}]", name, i),
            .value = fmt::format("[{}, {}, {}]", p.x(), p.y(), p.z()),
            .message = "a picture needs finite coordinates"});
    }
}

/// With the eye at (ex, ey, ez) and the slope t of a side plane, a point is inside the left and right planes if
///     x + t z <= ex + t ez   and   -x + t z <= -ex + t ez.
/// The tightest values of the two right-hand sides, A and B, give ex = (A - B) / 2 and ez = (A + B) / (2 t): the
/// nearest eye for which both planes touch the cloud. The same for top and bottom; the farther eye serves both.
Camera framing(std::span<const Vec3> points, const CameraOptions& options)
{
    require_finite(points, "points");
    require_between(options.field_of_view, 1, 120, "field_of_view");
    require_between(options.margin, 0, 0.4, "margin");
    require_between(options.aspect, 0.01, 100, "aspect");

    Camera camera;
    const Mat3 axes = world_axes(options.up);
    camera.world_up = axes.col(1);
    camera.back = options.direction ? unit(*options.direction, "direction") : named_direction(options.view, axes);
    // Looking straight down or up, the world's front is at the bottom of the picture.
    const bool vertical = std::abs(camera.back.dot(camera.world_up)) > 0.9999;
    const Vec3 upward = vertical ? (-axes.col(2)).eval() : camera.world_up;
    camera.right = upward.cross(camera.back).normalized();
    camera.up = camera.back.cross(camera.right);

    if (!points.empty()) {
        Vec3 low = points.front(), high = points.front();
        for (const Vec3& p : points) {
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
        camera.target = low / 2 + high / 2;
        camera.reach = (high / 2 - low / 2).maxCoeff();
    }
    std::vector<Vec3> corners;
    if (points.empty() || camera.reach < 1e-290) { // nothing, or one place, to look at
        camera.reach = 1;
        for (int i = 0; i < 8; ++i) corners.emplace_back((Vec3(i & 1, i >> 1 & 1, i >> 2) - Vec3::Constant(0.5)));
    }

    const double t = std::tan(options.field_of_view / 2 * std::numbers::pi / 180);
    camera.perspective = options.perspective;
    camera.half_width = t * std::max(1.0, options.aspect);
    camera.half_height = t * std::max(1.0, 1 / options.aspect);
    const double free = 1 - 2 * options.margin;
    const double tx = camera.half_width * free, ty = camera.half_height * free;
    const double sx = options.perspective ? tx : 0, sy = options.perspective ? ty : 0;

    constexpr double none = -1e300;
    double right = none, left = none, top = none, bottom = none, near = none;
    const auto include = [&](const Vec3& p) {
        const double x = p.dot(camera.right), y = p.dot(camera.up), z = p.dot(camera.back);
        right = std::max(right, x + sx * z);
        left = std::max(left, -x + sx * z);
        top = std::max(top, y + sy * z);
        bottom = std::max(bottom, -y + sy * z);
        near = std::max(near, z);
    };
    for (const Vec3& p : corners) include(p);
    if (corners.empty()) {
        for (const Vec3& p : points) include(camera.local(p));
    }

    camera.eye.x() = (right - left) / 2;
    camera.eye.y() = (top - bottom) / 2;
    if (options.perspective) {
        camera.eye.z() = std::max({(right + left) / (2 * tx), (top + bottom) / (2 * ty), near + 0.2});
    } else {
        const double scale = std::max({(right + left) / (2 * tx), (top + bottom) / (2 * ty), 1e-3});
        camera.half_width *= scale;
        camera.half_height *= scale;
        camera.eye.z() = near + 2;
    }
    return camera;
}

Camera framing(const Bounds& box, const CameraOptions& options)
{
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
        corners.emplace_back(
            (i & 1 ? box.high : box.low).x(), (i & 2 ? box.high : box.low).y(), (i & 4 ? box.high : box.low).z());
    }
    return framing(corners, options);
}

} // namespace rubato
