#include "scene/shape_catalog.hpp"

#include "base/errors.hpp"
#include "base/random.hpp"
#include "geometry/transforms.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace rubato {

namespace {

const OptionSpec from_spec{.name = "from",
    .unit = "m",
    .summary = "coordinate along the axis where it begins; absent: the body's lowest",
    .optional = true};
const OptionSpec to_spec{.name = "to",
    .unit = "m",
    .summary = "coordinate along the axis where it is complete; absent: the body's highest",
    .optional = true};

OptionSpec axis_spec(std::string summary)
{
    return {.name = "axis", .type = OptionType::vec3, .summary = std::move(summary)};
}

OptionSpec center_spec(std::string summary)
{
    return {.name = "center", .type = OptionType::vec3, .unit = "m", .summary = std::move(summary), .optional = true};
}

OptionSpec angle_spec(std::string summary) { return {.name = "angle", .unit = "deg", .summary = std::move(summary)}; }

Vec3 direction(const Options& o, const std::string& name)
{
    const Vec3 axis = o.vec3(name);
    if (axis.norm() == 0)
        throw InputError(Mistake{.key = name, .value = "[0,0,0]", .message = "must have a direction"});
    return axis.normalized();
}

/// The interval along the axis in which a deformation grows.
struct Interval {
    double from, to;
    double fraction(double s) const { return (s - from) / (to - from); }
};

Interval interval(const Options& o, const BodyPose& pose, const Vec3& axis)
{
    const auto [low, high] = pose.extent(axis);
    const Interval i{o.has("from") ? o.real("from") : low, o.has("to") ? o.real("to") : high};
    if (i.from == i.to) throw InputError(Mistake{.key = "to", .message = "must differ from 'from'"});
    return i;
}

Vec3 center(const Options& o, const Vec3& fallback) { return o.has("center") ? o.vec3("center") : fallback; }

/// x turned by `angle` [rad] about an axis through c.
Vec3 turned(const Vec3& x, const Vec3& axis, double angle, const Vec3& c)
{
    return c + rotation(axis, angle) * (x - c);
}

PointRule twist(const Options& o, const BodyPose& pose)
{
    const Vec3 a = direction(o, "axis");
    const Interval along = interval(o, pose, a);
    const Vec3 c = center(o, pose.box_center());
    const double angle = radians(o.real("angle"));
    return [=](const Vec3& x) { return turned(x, a, angle * std::clamp(along.fraction(x.dot(a)), 0.0, 1.0), c); };
}

/// The line through the centre along a becomes an arc of length L = to - from that turns toward b; sections stay plane
/// and perpendicular to it. Beyond the arc the body goes on straight.
PointRule bend(const Options& o, const BodyPose& pose)
{
    const Vec3 a = direction(o, "axis");
    const Vec3 wanted = direction(o, "toward");
    const Vec3 across = wanted - wanted.dot(a) * a;
    if (across.norm() < 1e-9) throw InputError(Mistake{.key = "toward", .message = "must not be parallel to axis"});
    const Vec3 b = across.normalized();
    const Interval along = interval(o, pose, a);
    const Vec3 c = center(o, pose.box_center());
    const double angle = radians(o.real("angle"));
    if (angle == 0) return [](const Vec3& x) { return x; };
    const double length = along.to - along.from, radius = length / angle;
    return [=](const Vec3& x) -> Vec3 {
        const double s = x.dot(a) - along.from; // along the line
        const double w = (x - c).dot(b); // off the line
        const double on_arc = std::clamp(s / length, 0.0, 1.0) * length;
        const double phi = on_arc / radius;
        const Vec3 tangent = std::cos(phi) * a + std::sin(phi) * b;
        const Vec3 normal = std::cos(phi) * b - std::sin(phi) * a;
        const Vec3 arc = radius * (std::sin(phi) * a + (1 - std::cos(phi)) * b);
        return x - s * a - w * b + arc + w * normal + (s - on_arc) * tangent;
    };
}

/// Every node anywhere in the body's bounding box, whatever its place was. The rule draws three numbers per call.
PointRule scatter(const Options& o, const BodyPose& pose)
{
    Vec3 low, high;
    for (int k = 0; k < 3; ++k) std::tie(low[k], high[k]) = pose.extent(Vec3::Unit(k));
    return [=, random = Random(static_cast<std::uint64_t>(o.integer("seed")))](const Vec3&) mutable {
        Vec3 x;
        for (int k = 0; k < 3; ++k) x[k] = random.uniform(low[k], high[k]);
        return x;
    };
}

} // namespace

std::pair<double, double> BodyPose::extent(const Vec3& axis) const
{
    double low = OptionSpec::inf, high = -OptionSpec::inf;
    for (const Vec3& p : x) {
        low = std::min(low, p.dot(axis));
        high = std::max(high, p.dot(axis));
    }
    return {low, high};
}

Vec3 BodyPose::box_center() const
{
    Vec3 c;
    for (int k = 0; k < 3; ++k) {
        const auto [low, high] = extent(Vec3::Unit(k));
        c[k] = (low + high) / 2;
    }
    return c;
}

const std::vector<PointRuleEntry>& deformation_catalog()
{
    static const std::vector<PointRuleEntry> catalog{
        {
            .name = "twist",
            .summary = "Turns sections about an axis, by an angle that grows along it from 0 to the full one.",
            .options = {axis_spec("direction of the axis"), angle_spec("full angle, right-handed"),
                center_spec("a point on the axis; absent: the middle of the body"), from_spec, to_spec},
            .make = twist,
        },
        {
            .name = "bend",
            .summary = "Bends a body that lies along an axis into an arc.",
            .options = {axis_spec("direction in which the body lies"),
                {.name = "toward", .type = OptionType::vec3, .summary = "direction in which it bends"},
                angle_spec("angle between its ends"),
                center_spec("a point on the line that keeps its length; absent: the middle of the body"), from_spec,
                to_spec},
            .make = bend,
        },
        {
            .name = "stretch",
            .summary = "Multiplies distances from a point by one factor per axis; 0 flattens, negative ones invert.",
            .options = {{.name = "factors", .type = OptionType::vec3, .summary = "one per axis"},
                center_spec("the point that stays; absent: the middle of the body")},
            .make = [](const Options& o, const BodyPose& pose) -> PointRule {
                const Vec3 c = center(o, pose.box_center()), factors = o.vec3("factors");
                return [=](const Vec3& x) -> Vec3 { return c + factors.cwiseProduct(x - c); };
            },
        },
        {
            .name = "scatter",
            .summary = "Puts every node at a random place in the body's bounding box.",
            .options = {{.name = "seed",
                .type = OptionType::integer,
                .fallback = 1,
                .summary = "of the random numbers; the same seed gives the same places",
                .least = 0}},
            .make = scatter,
        },
        {
            .name = "collapse",
            .summary = "Puts all nodes at one point.",
            .options = {center_spec("the point; absent: the middle of the body")},
            .make = [](const Options& o, const BodyPose& pose) -> PointRule {
                return [c = center(o, pose.box_center())](const Vec3&) { return c; };
            },
        },
        {
            .name = "rotate",
            .summary = "Turns the whole body.",
            .options = {axis_spec("direction of the axis"), angle_spec("right-handed"),
                center_spec("a point on the axis; absent: the middle of the body")},
            .make = [](const Options& o, const BodyPose& pose) -> PointRule {
                const Vec3 a = direction(o, "axis"), c = center(o, pose.box_center());
                const double angle = radians(o.real("angle"));
                return [=](const Vec3& x) { return turned(x, a, angle, c); };
            },
        },
        {
            .name = "translate",
            .summary = "Moves the whole body.",
            .options = {{.name = "by", .type = OptionType::vec3, .unit = "m", .summary = "displacement"}},
            .make = [](const Options& o, const BodyPose&) -> PointRule {
                return [by = o.vec3("by")](const Vec3& x) -> Vec3 { return x + by; };
            },
        },
    };
    return catalog;
}

const std::vector<PointRuleEntry>& velocity_catalog()
{
    static const std::vector<PointRuleEntry> catalog{
        {
            .name = "linear",
            .summary = "The same velocity everywhere.",
            .options = {{.name = "velocity", .type = OptionType::vec3, .unit = "m/s", .summary = "velocity"}},
            .make = [](const Options& o, const BodyPose&) -> PointRule {
                return [v = o.vec3("velocity")](const Vec3&) { return v; };
            },
        },
        {
            .name = "angular",
            .summary = "Turns about an axis: v = rate axis x (x - center).",
            .options = {axis_spec("direction of the axis, right-handed"),
                {.name = "rate", .unit = "rad/s", .summary = "angular velocity"},
                center_spec("a point on the axis; absent: the centre of mass")},
            .make = [](const Options& o, const BodyPose& pose) -> PointRule {
                const Vec3 omega = o.real("rate") * direction(o, "axis"), c = center(o, pose.center_of_mass);
                return [=](const Vec3& x) -> Vec3 { return omega.cross(x - c); };
            },
        },
        {
            .name = "ramp",
            .summary = "A velocity that grows linearly along an axis: 0 at from, the full one at to, and on beyond.",
            .options = {axis_spec("direction along which it grows"),
                {.name = "velocity", .type = OptionType::vec3, .unit = "m/s", .summary = "full velocity"}, from_spec,
                to_spec},
            .make = [](const Options& o, const BodyPose& pose) -> PointRule {
                const Vec3 a = direction(o, "axis"), v = o.vec3("velocity");
                const Interval along = interval(o, pose, a);
                return [=](const Vec3& x) -> Vec3 { return along.fraction(x.dot(a)) * v; };
            },
        },
    };
    return catalog;
}

} // namespace rubato
