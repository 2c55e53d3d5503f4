#include "scene/copies_catalog.hpp"

#include "base/errors.hpp"
#include "base/random.hpp"
#include "geometry/transforms.hpp"
#include "scene/shape_catalog.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rubato {

namespace {

constexpr int most_copies = 100000;
constexpr int most_strewn = 10000; ///< each is compared with all before it

OptionSpec count_spec(int most)
{
    return {.name = "count",
        .type = OptionType::integer,
        .summary = "number of bodies, the first included",
        .least = 1,
        .most = static_cast<double>(most)};
}

OptionSpec rotate_spec()
{
    return {.name = "rotate",
        .type = OptionType::flag,
        .fallback = false,
        .summary = "turn each body at random about its centre"};
}

OptionSpec seed_spec()
{
    return {.name = "seed",
        .type = OptionType::integer,
        .fallback = 1,
        .summary = "of the random numbers; the same seed gives the same bodies on every machine",
        .least = 0};
}

/// Uniform over all rotations: three numbers give a point of the unit sphere of quaternions (Shoemake 1992).
Mat3 random_rotation(Random& random)
{
    const double two_pi = 2 * std::numbers::pi;
    const double s = random.uniform(), a = two_pi * random.uniform(), b = two_pi * random.uniform();
    return Eigen::Quaterniond(std::sqrt(s) * std::cos(b), std::sqrt(1 - s) * std::sin(a),
        std::sqrt(1 - s) * std::cos(a), std::sqrt(s) * std::sin(b))
        .toRotationMatrix();
}

std::vector<CopyPlace> row(const Options& o, const CopySurroundings&)
{
    const Vec3 axis = o.vec3("axis");
    if (axis.norm() == 0) {
        throw InputError(Mistake{.key = "axis", .value = "[0,0,0]", .message = "must have a direction"});
    }
    std::vector<CopyPlace> places;
    for (int i = 0; i < o.integer("count"); ++i) {
        places.push_back({rotation(axis, radians(i * o.real("angle"))), i * o.vec3("step")});
    }
    return places;
}

std::vector<CopyPlace> grid(const Options& o, const CopySurroundings&)
{
    const Vec3& counts = o.vec3("counts");
    for (int a = 0; a < 3; ++a) {
        if (counts[a] != std::floor(counts[a])) {
            throw InputError(Mistake{.key = "counts",
                .value = fmt::format("[{}, {}, {}]", counts.x(), counts.y(), counts.z()),
                .message = "must be three whole numbers >= 1"});
        }
    }
    if (counts.prod() > most_copies) {
        throw InputError(Mistake{.key = "counts",
            .value = fmt::format("[{}, {}, {}]", counts.x(), counts.y(), counts.z()),
            .message = fmt::format("make more than {} bodies", most_copies)});
    }
    const Vec3& spacing = o.vec3("spacing");
    for (int a = 0; a < 3; ++a) {
        if (counts[a] > 1 && spacing[a] == 0) {
            throw InputError(Mistake{.key = "spacing",
                .value = fmt::format("[{}, {}, {}]", spacing.x(), spacing.y(), spacing.z()),
                .message
                = fmt::format("is 0 along {}, where {} bodies would stand in one place", "xyz"[a], counts[a])});
        }
    }
    Random random(static_cast<std::uint64_t>(o.integer("seed")));
    std::vector<CopyPlace> places;
    for (int k = 0; k < counts.z(); ++k) {
        for (int j = 0; j < counts.y(); ++j) {
            for (int i = 0; i < counts.x(); ++i) {
                places.push_back({o.flag("rotate") ? random_rotation(random) : Mat3(Mat3::Identity()),
                    Vec3(i, j, k).cwiseProduct(spacing)});
            }
        }
    }
    return places;
}

/// Throws darts: a place that is taken is tried again elsewhere. The boxes of the bodies stay in the region and apart.
std::vector<CopyPlace> strewn(const Options& o, const CopySurroundings& around)
{
    const Vec3& low = o.vec3("min");
    const Vec3& high = o.vec3("max");
    if ((low.array() > high.array()).any()) {
        throw InputError(Mistake{.key = "max",
            .value = fmt::format("[{}, {}, {}]", high.x(), high.y(), high.z()),
            .message
            = fmt::format("must not be below min = [{}, {}, {}] in any coordinate", low.x(), low.y(), low.z())});
    }
    constexpr int tries_per_body = 2000;
    Random random(static_cast<std::uint64_t>(o.integer("seed")));
    std::vector<CopyPlace> places;
    std::vector<OrientedBox> taken = around.others;
    const int wanted = o.integer("count");
    while (static_cast<int>(places.size()) < wanted) {
        bool found = false;
        for (int i = 0; i < tries_per_body && !found; ++i) {
            CopyPlace place;
            if (o.flag("rotate")) place.turn = random_rotation(random);
            Vec3 center;
            for (int a = 0; a < 3; ++a) center[a] = random.uniform(low[a], high[a]);
            place.offset = center - around.body.center;
            const OrientedBox box{center, place.turn * around.body.axes, around.body.half};
            const Bounds extent = box.bounds();
            if ((extent.low.array() < low.array()).any() || (extent.high.array() > high.array()).any()) continue;
            found = std::all_of(
                taken.begin(), taken.end(), [&](const OrientedBox& other) { return apart(box, other, o.real("gap")); });
            if (!found) continue;
            places.push_back(place);
            taken.push_back(box);
        }
        if (!found) {
            throw InputError(Mistake{.key = "count",
                .value = std::to_string(wanted),
                .message = fmt::format("no room after {} of them: a body of {:.4g} x {:.4g} x {:.4g} m found no free "
                                       "place in {} tries; choose a larger region, fewer bodies or a smaller gap",
                    places.size(), 2 * around.body.half.x(), 2 * around.body.half.y(), 2 * around.body.half.z(),
                    tries_per_body)});
        }
    }
    return places;
}

} // namespace

const std::vector<CopiesEntry>& copies_catalog()
{
    static const std::vector<CopiesEntry> catalog{
        {
            .name = "row",
            .summary = "Each body is moved from the one before it, and may be turned about its own centre.",
            .options = {count_spec(most_copies),
                {.name = "step", .type = OptionType::vec3, .unit = "m", .summary = "from one body to the next"},
                {.name = "axis",
                    .type = OptionType::vec3,
                    .fallback = Vec3(0, 1, 0),
                    .summary = "direction of the axis of turning"},
                {.name = "angle", .fallback = 0.0, .unit = "deg", .summary = "turn from one body to the next"}},
            .make = row,
        },
        {
            .name = "grid",
            .summary = "Bodies on a regular grid, of which the first is where the scene puts the body.",
            .options = {{.name = "counts",
                            .type = OptionType::vec3,
                            .summary = "whole numbers of bodies along x, y, z",
                            .least = 1},
                {.name = "spacing", .type = OptionType::vec3, .unit = "m", .summary = "distances between them"},
                rotate_spec(), seed_spec()},
            .make = grid,
        },
        {
            .name = "random",
            .summary = "Bodies at random places in a region, wherever the scene puts the body itself; their bounding "
                       "boxes overlap "
                       "neither each other nor another body.",
            .options = {count_spec(most_strewn),
                {.name = "min", .type = OptionType::vec3, .unit = "m", .summary = "lowest corner of the region"},
                {.name = "max", .type = OptionType::vec3, .unit = "m", .summary = "highest corner of the region"},
                {.name = "gap",
                    .fallback = 0.0,
                    .unit = "m",
                    .summary = "least distance between the boxes",
                    .least = 0},
                rotate_spec(), seed_spec()},
            .make = strewn,
            .makes_way = true,
        },
    };
    return catalog;
}

} // namespace rubato
