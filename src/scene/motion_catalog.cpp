#include "scene/motion_catalog.hpp"

#include "base/errors.hpp"
#include "potentials/motions.hpp"
#include "scene/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace rubato {

namespace {

const OptionSpec begin_spec{.name = "begin", .fallback = 0.0, .unit = "s", .summary = "when it starts"};
const OptionSpec end_spec{.name = "end", .unit = "s", .summary = "when it stops; absent: never", .optional = true};

/// [begin, end]; an absent end is never reached.
std::pair<double, double> interval(const Options& options)
{
    const double begin = options.real("begin");
    const double end = options.has("end") ? options.real("end") : OptionSpec::inf;
    if (!(end > begin)) {
        throw InputError(Mistake{.key = "end",
            .value = fmt::format("{:g}", end),
            .message = fmt::format("must be after begin, {:g} s", begin)});
    }
    return {begin, end};
}

Vec3 direction(const Options& options, const std::string& name)
{
    const Vec3 axis = options.vec3(name);
    if (axis.norm() == 0)
        throw InputError(Mistake{.key = name, .value = "[0,0,0]", .message = "must have a direction"});
    return axis.normalized();
}

std::vector<double> ascending_times(const Options& options, std::size_t keys, const std::string& of)
{
    const std::vector<double>& times = options.reals("times");
    if (times.empty())
        throw InputError(Mistake{.key = "times", .value = "[]", .message = "must have at least one time"});
    for (std::size_t i = 1; i < times.size(); ++i) {
        if (times[i] <= times[i - 1]) throw InputError(Mistake{.key = "times", .message = "must be ascending"});
    }
    if (times.size() != keys) {
        throw InputError(Mistake{.key = of,
            .message
            = "must have as many entries as times: " + std::to_string(times.size()) + ", not " + std::to_string(keys)});
    }
    return times;
}

double shortest_interval(const std::vector<double>& times)
{
    double shortest = OptionSpec::inf;
    for (std::size_t i = 1; i < times.size(); ++i) shortest = std::min(shortest, times[i] - times[i - 1]);
    return shortest;
}

std::shared_ptr<const Motion> keyframes(const Options& options)
{
    std::vector<Vec3> displacements;
    for (const std::vector<double>& row : options.table("displacements")) {
        if (row.size() != 3) {
            throw InputError(Mistake{.key = "displacements", .message = "each entry must be three numbers [x, y, z]"});
        }
        displacements.emplace_back(row[0], row[1], row[2]);
    }
    auto times = ascending_times(options, displacements.size(), "displacements");
    return std::make_shared<Keyframes>(std::move(times), std::move(displacements));
}

} // namespace

const std::vector<MotionEntry>& motion_catalog()
{
    static const std::vector<MotionEntry> catalog{
        {
            .name = "rest",
            .summary = "Stays where it started.",
            .options = {},
            .make = [](const Options&) { return std::make_shared<Rest>(); },
        },
        {
            .name = "translation",
            .summary = "Moves with a constant velocity, at rest before and after.",
            .options = {
                {.name = "velocity", .type = OptionType::vec3, .unit = "m/s", .summary = "velocity"},
                begin_spec,
                end_spec,
            },
            .make = [](const Options& o) {
                const auto [begin, end] = interval(o);
                return std::make_shared<Translation>(o.vec3("velocity"), begin, end);
            },
        },
        {
            .name = "rotation",
            .summary = "Turns about an axis with a constant rate, at rest before and after.",
            .options = {
                {.name = "axis", .type = OptionType::vec3, .summary = "direction of the axis, right-handed"},
                {.name = "center", .type = OptionType::vec3, .fallback = Vec3(0, 0, 0), .unit = "m",
                    .summary = "a point on the axis"},
                {.name = "rate", .unit = "rad/s", .summary = "angular velocity"},
                begin_spec,
                end_spec,
            },
            .make = [](const Options& o) {
                const auto [begin, end] = interval(o);
                return std::make_shared<Rotation>(o.vec3("center"), direction(o, "axis"), o.real("rate"), begin, end);
            },
            .turns_within = [](const Options& o) {
                const auto [begin, end] = interval(o);
                const double half_turn = std::numbers::pi / std::abs(o.real("rate"));
                return end - begin > half_turn ? half_turn : std::numeric_limits<double>::infinity();
            },
        },
        {
            .name = "oscillation",
            .summary = "Swings to X + amplitude and back, X + amplitude (1 - cos(2 pi frequency t))/2; starts at rest.",
            .options = {
                {.name = "amplitude", .type = OptionType::vec3, .unit = "m", .summary = "farthest displacement"},
                {.name = "frequency", .unit = "Hz", .summary = "swings per second", .least = 0, .least_open = true},
            },
            .make = [](const Options& o) {
                return std::make_shared<Oscillation>(o.vec3("amplitude"), o.real("frequency"));
            },
            .turns_within = [](const Options& o) { return 0.5 / o.real("frequency"); },
        },
        {
            .name = "keyframes",
            .summary = "Displacements at given times, joined by smooth pieces that are at rest at every key.",
            .options = {
                {.name = "times", .type = OptionType::reals, .unit = "s", .summary = "ascending"},
                {.name = "displacements", .type = OptionType::table, .unit = "m", .summary = "one [x, y, z] per time"},
            },
            .make = keyframes,
            .turns_within = [](const Options& o) { return shortest_interval(o.reals("times")); },
        },
    };
    return catalog;
}

const std::vector<ForceProfileEntry>& force_profile_catalog()
{
    static const std::vector<ForceProfileEntry> catalog{
        {
            .name = "constant",
            .summary = "The full force all the time.",
            .options = {},
            .make = [](const Options&) { return nullptr; },
        },
        {
            .name = "pulse",
            .summary = "The full force from begin to end, nothing otherwise. In a step in which it is switched its mean "
                       "over the step acts, so no pulse is missed, however short.",
            .options = {begin_spec, end_spec},
            .make = [](const Options& o) {
                const auto [begin, end] = interval(o);
                return std::make_shared<Pulse>(begin, end);
            },
            .length = [](const Options& o) {
                const auto [begin, end] = interval(o);
                return end - begin;
            },
        },
        {
            .name = "sine",
            .summary = "Factor sin(2 pi frequency t); its mean over the step where a period is shorter than four steps.",
            .options = {{.name = "frequency", .unit = "Hz", .summary = "periods per second", .least = 0, .least_open = true}},
            .make = [](const Options& o) {
                return std::make_shared<Sine>(2 * std::numbers::pi * o.real("frequency"));
            },
            .length = [](const Options& o) { return 0.25 / o.real("frequency"); },
        },
        {
            .name = "keyframes",
            .summary = "Factors at given times, joined by straight lines; the first before, the last after. In a step with "
                       "a time within, the mean over the step acts.",
            .options = {
                {.name = "times", .type = OptionType::reals, .unit = "s", .summary = "ascending"},
                {.name = "factors", .type = OptionType::reals, .summary = "one per time"},
            },
            .make = [](const Options& o) {
                const std::vector<double> factors = o.reals("factors");
                return std::make_shared<PiecewiseLinear>(ascending_times(o, factors.size(), "factors"), factors);
            },
            .length = [](const Options& o) { return shortest_interval(o.reals("times")); },
        },
    };
    return catalog;
}

std::shared_ptr<const Motion> motion_of(const Block& block)
{
    if (!block.has("motion")) return std::make_shared<Rest>();
    const Block& motion = block.part("motion");
    return entry_of(motion_catalog(), motion).make(motion.options);
}

} // namespace rubato
