#include "geometry/fields/solids.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace rubato {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double largest_length = 1e9; ///< [m]; beyond it squares and products lose their meaning

void require(bool holds, const char* field, double found, const std::string& allowed)
{
    if (!holds) throw InputError(Mistake{.key = field, .value = fmt::format("{}", found), .message = allowed});
}

void require_length(double length, const char* field)
{
    require(length > 0 && length <= largest_length, field, length,
        fmt::format("must be > 0 and at most {} [m]", largest_length));
}

/// Distance to the set where both a and b are negative, which are distances to perpendicular boundaries.
double both(double a, double b)
{
    return std::min(std::max(a, b), 0.0) + std::hypot(std::max(a, 0.0), std::max(b, 0.0));
}

} // namespace

void Ball::check() const { require_length(radius, "radius"); }
double Ball::value(const Vec3& p) const { return p.norm() - radius; }
double Ball::volume() const { return 4 * pi / 3 * radius * radius * radius; }

void Cylinder::check() const
{
    require_length(radius, "radius");
    require_length(height, "height");
}
double Cylinder::value(const Vec3& p) const
{
    return both(std::hypot(p.x(), p.z()) - radius, std::abs(p.y()) - height / 2);
}
double Cylinder::volume() const { return pi * radius * radius * height; }

void Torus::check() const
{
    require_length(radius, "radius");
    require_length(tube, "tube");
    require(tube < radius, "tube", tube, fmt::format("must be less than radius, which is {} [m]", radius));
}
double Torus::value(const Vec3& p) const { return std::hypot(std::hypot(p.x(), p.z()) - radius, p.y()) - tube; }
double Torus::volume() const { return 2 * pi * radius * pi * tube * tube; }

void RoundedBox::check() const
{
    for (const double s : size) require_length(s, "size");
    require(edge_radius >= 0 && 2 * edge_radius <= size.minCoeff(), "edge_radius", edge_radius,
        fmt::format("must be between 0 and half the smallest side, {} [m]", size.minCoeff() / 2));
}
double RoundedBox::value(const Vec3& p) const
{
    const Vec3 q = p.cwiseAbs() - (size / 2 - Vec3::Constant(edge_radius));
    return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0) - edge_radius;
}
double RoundedBox::volume() const
{
    // Steiner's formula for the inner box, grown by the radius
    const Vec3 c = size - Vec3::Constant(2 * edge_radius);
    const double r = edge_radius;
    return c.prod() + 2 * r * (c.x() * c.y() + c.y() * c.z() + c.z() * c.x()) + pi * r * r * c.sum()
        + 4 * pi / 3 * r * r * r;
}

void ChainLink::check() const
{
    require_length(bend_radius, "bend_radius");
    require(straight >= 0 && straight <= largest_length, "straight", straight,
        fmt::format("must be >= 0 and at most {} [m]", largest_length));
    require_length(wire, "wire");
    require(
        wire < bend_radius, "wire", wire, fmt::format("must be less than bend_radius, which is {} [m]", bend_radius));
}
double ChainLink::value(const Vec3& p) const
{
    const double along = std::max(std::abs(p.y()) - straight / 2, 0.0);
    return std::hypot(std::hypot(p.x(), along) - bend_radius, p.z()) - wire;
}
double ChainLink::volume() const { return pi * wire * wire * (2 * pi * bend_radius + 2 * straight); }

void Stairs::check() const
{
    require(steps >= 1 && steps <= 1000, "steps", steps, "must be between 1 and 1000");
    require_length(rise, "rise");
    require_length(run, "run");
    require_length(width, "width");
}
double Stairs::value(const Vec3& p) const
{
    // The profile in the plane, with its low corner at the origin: step i spans x in [i run, (i + 1) run] up to
    // (i + 1) rise. The distance to its outline is that to the floor, the back and the sides of the steps.
    const double x = p.x() + steps * run / 2;
    const double y = p.y() + steps * rise / 2;
    const double length = steps * run;
    const double height = steps * rise;
    auto outside = [](double t, double low, double high) { return std::max({low - t, t - high, 0.0}); };

    double d = std::hypot(outside(x, 0, length), y); // floor
    d = std::min(d, std::hypot(x - length, outside(y, 0, height))); // back
    for (int i = 0; i < steps; ++i) {
        d = std::min(d, std::hypot(outside(x, i * run, (i + 1) * run), y - (i + 1) * rise)); // tread
        d = std::min(d, std::hypot(x - i * run, outside(y, i * rise, (i + 1) * rise))); // riser
    }
    const double step = std::floor(x / run);
    const bool inside = x > 0 && x < length && y > 0 && y < (step + 1) * rise;
    return both(inside ? -d : d, std::abs(p.z()) - width / 2);
}
double Stairs::volume() const { return width * rise * run * steps * (steps + 1) / 2; }

void Bowl::check() const
{
    require_length(radius, "radius");
    require_length(thickness, "thickness");
    require(
        thickness < radius, "thickness", thickness, fmt::format("must be less than radius, which is {} [m]", radius));
}
double Bowl::value(const Vec3& p) const
{
    // in the half plane through the axis, from the centre of the sphere
    const double x = std::hypot(p.x(), p.z());
    const double y = p.y() + half_size().y() - radius;
    const double half = thickness / 2;
    const double middle = radius - half;
    const double from_shell = std::abs(std::hypot(x, y) - middle) - half;
    if (round_rim) return y <= 0 ? from_shell : std::hypot(x - middle, y) - half;
    if (y <= 0) return from_shell > 0 ? from_shell : std::max(from_shell, y);
    return std::hypot(x - std::clamp(x, radius - thickness, radius), y);
}
double Bowl::volume() const
{
    const double inner = radius - thickness;
    const double shell = 2 * pi / 3 * (radius * radius * radius - inner * inner * inner);
    if (!round_rim) return shell;
    const double half = thickness / 2;
    return shell + pi * half * half / 2 * 2 * pi * (radius - half); // half a torus
}

} // namespace rubato
