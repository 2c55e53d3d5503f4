#include "scene/obstacle_catalog.hpp"

#include "base/errors.hpp"
#include "geometry/files/formats.hpp"
#include "geometry/transforms.hpp"
#include "scene/mesh_catalog.hpp"
#include "scene/obstacle_shapes.hpp"

#include <Eigen/Geometry>

namespace rubato {

namespace {

OptionSpec length_spec(std::string name, std::string summary)
{
    return {.name = std::move(name), .unit = "m", .summary = std::move(summary), .least = 0, .least_open = true};
}

OptionSpec place_spec(std::string name, std::string summary)
{
    return {.name = std::move(name), .type = OptionType::vec3, .unit = "m", .summary = std::move(summary)};
}

OptionSpec center_spec()
{
    return {
        .name = "center", .type = OptionType::vec3, .fallback = Vec3(0, 0, 0), .unit = "m", .summary = "its centre"};
}

Vec3 direction(const Options& o, const std::string& name)
{
    const Vec3 given = o.vec3(name);
    const double length = given.stableNorm();
    if (!(length > 0)) throw InputError(Mistake{.key = name, .value = "[0,0,0]", .message = "must have a direction"});
    return given / length;
}

/// Axes of a box that stands along `axis`.
Mat3 axes_along(const Vec3& axis)
{
    Mat3 axes;
    axes.col(1) = axis;
    axes.col(0) = axis.unitOrthogonal();
    axes.col(2) = axes.col(0).cross(axis);
    return axes;
}

ObstacleShape half_space(const Options& o, const ObstacleSite& site)
{
    const Vec3 normal = o.has("normal") ? direction(o, "normal") : site.up;
    return {.half_space = HalfSpace{.point = o.vec3("point"), .normal = normal}};
}

ObstacleShape sphere(const Options& o, const ObstacleSite&)
{
    const Vec3& center = o.vec3("center");
    const double radius = o.real("radius");
    return {.surface = {{center}, {}},
        .radius = radius,
        .shown = capsule_surface(center, center, radius),
        .room = OrientedBox{center, Mat3::Identity(), Vec3::Constant(radius)}};
}

ObstacleShape capsule(const Options& o, const ObstacleSite&)
{
    const Vec3 &a = o.vec3("from"), &b = o.vec3("to");
    const double radius = o.real("radius"), length = (b - a).norm();
    if (!(length > 1e-9 * radius)) {
        throw InputError(
            Mistake{.key = "to", .message = "must differ from 'from'; a capsule without length is a sphere"});
    }
    return {.surface = {{a, b}, {}},
        .edges = {{0, 1}},
        .radius = radius,
        .shown = capsule_surface(a, b, radius),
        .room = OrientedBox{(a + b) / 2, axes_along((b - a) / length), Vec3(radius, length / 2 + radius, radius)}};
}

ObstacleShape box(const Options& o, const ObstacleSite& site)
{
    const Vec3 &center = o.vec3("center"), &size = o.vec3("size");
    return {.surface = box_surface(center, size, site.turn), .room = OrientedBox{center, site.turn, size / 2}};
}

ObstacleShape cylinder(const Options& o, const ObstacleSite&)
{
    const Vec3& center = o.vec3("center");
    const Vec3 axis = direction(o, "axis");
    const double radius = o.real("radius"), height = o.real("height");
    return {.surface = cylinder_surface(center, axis, radius, height, o.integer("segments")),
        .room = OrientedBox{center, axes_along(axis), Vec3(radius, height / 2, radius)}};
}

ObstacleShape mesh(const Options& o, const ObstacleSite& site)
{
    if (o.has("size") && o.has("scale")) {
        throw InputError(Mistake{.key = "size", .message = "give either size or scale, not both"});
    }
    const std::filesystem::path file = existing_file(o, site.folder);
    TriangleMesh surface = welded(triangulated(read_surface(file)));
    if (surface.triangles.empty()) {
        throw InputError(Mistake{.key = "path", .value = '"' + o.text("path") + '"', .message = "holds no triangle"});
    }
    for (const Vec3& x : surface.nodes) {
        if (x.allFinite()) continue;
        throw InputError(Mistake{
            .key = "path", .value = '"' + o.text("path") + '"', .message = "has a coordinate that is not finite"});
    }
    const Bounds bounds = rubato::bounds(surface.nodes);
    const double scale = o.has("size") ? o.real("size") / bounds.size().maxCoeff()
        : o.has("scale")               ? o.real("scale")
                                       : 1;
    const Mat3 linear = scale * site.turn;
    const Vec3 from = o.flag("center") ? bounds.center() : Vec3(0, 0, 0);
    return {.surface = transformed(std::move(surface), linear, o.vec3("translate") - linear * from)};
}

} // namespace

const std::vector<ObstacleEntry>& obstacle_catalog()
{
    static const std::vector<ObstacleEntry> catalog{
        {
            .name = "half-space",
            .summary
            = "Everything on one side of a plane: the ground, a wall, a slope. It does not move and has no end.",
            .options = {{.name = "point",
                            .type = OptionType::vec3,
                            .fallback = Vec3(0, 0, 0),
                            .unit = "m",
                            .summary = "a point on the plane"},
                {.name = "normal",
                    .type = OptionType::vec3,
                    .summary = "direction out of the solid; absent: against gravity, y without gravity",
                    .optional = true}},
            .make = half_space,
            .moves = false,
            .first_name = "ground",
        },
        {
            .name = "sphere",
            .summary = "A ball, exactly round.",
            .options = {center_spec(), length_spec("radius", "its radius")},
            .make = sphere,
        },
        {
            .name = "capsule",
            .summary = "A round bar with round ends: all points closer than the radius to a segment.",
            .options = {place_spec("from", "one end of the segment"), place_spec("to", "its other end"),
                length_spec("radius", "its radius")},
            .make = capsule,
        },
        {
            .name = "box",
            .summary = "A box; its rotation is about its centre.",
            .options = {center_spec(),
                {.name = "size",
                    .type = OptionType::vec3,
                    .unit = "m",
                    .summary = "edge lengths",
                    .least = 0,
                    .least_open = true}},
            .make = box,
            .turns = true,
        },
        {
            .name = "cylinder",
            .summary = "A cylinder with flat ends, as a prism of many sides.",
            .options = {center_spec(),
                {.name = "axis",
                    .type = OptionType::vec3,
                    .fallback = Vec3(0, 1, 0),
                    .summary = "direction of its axis"},
                length_spec("radius", "of the circle that its corners lie on"), length_spec("height", "along the axis"),
                {.name = "segments",
                    .type = OptionType::integer,
                    .fallback = 48,
                    .summary = "sides of the prism",
                    .least = 3,
                    .most = 10000}},
            .make = cylinder,
        },
        {
            .name = "mesh",
            .summary
            = "A surface from a file, closed or open. It is centred if wanted, scaled, rotated and moved, in this "
              "order. A closed one is solid where it faces outward; one that faces inward is a room.",
            .options = {{.name = "path",
                            .type = OptionType::text,
                            .summary = "a .obj, .ply, .stl, .off, .vtu or .msh file, relative to the scene's folder"},
                {.name = "scale",
                    .summary = "factor of all its lengths; absent: 1",
                    .least = 0,
                    .least_open = true,
                    .optional = true},
                {.name = "size",
                    .unit = "m",
                    .summary = "longest edge of its bounding box, instead of scale",
                    .least = 0,
                    .least_open = true,
                    .optional = true},
                {.name = "center",
                    .type = OptionType::flag,
                    .fallback = false,
                    .summary = "first bring the centre of its bounding box to the origin"},
                {.name = "translate",
                    .type = OptionType::vec3,
                    .fallback = Vec3(0, 0, 0),
                    .unit = "m",
                    .summary = "displacement"}},
            .make = mesh,
            .turns = true,
        },
    };
    return catalog;
}

} // namespace rubato
