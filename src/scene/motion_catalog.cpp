#include "scene/motion_catalog.hpp"

#include "base/errors.hpp"
#include "potentials/motions.hpp"

#include <algorithm>
#include <cmath>
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
    if (end < begin) throw InputError(Mistake{.key = "end", .message = "must not be before begin"});
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
        },
        {
            .name = "keyframes",
            .summary = "Displacements at given times, joined by smooth pieces that are at rest at every key.",
            .options = {
                {.name = "times", .type = OptionType::reals, .unit = "s", .summary = "ascending"},
                {.name = "displacements", .type = OptionType::table, .unit = "m", .summary = "one [x, y, z] per time"},
            },
            .make = keyframes,
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
            .make = [](const Options&) { return std::function<double(double)>(); },
        },
        {
            .name = "pulse",
            .summary = "The full force from begin to end, nothing otherwise. Methods sample the force at times of their "
                       "own, so let it last several steps: a pulse shorter than a step may be missed.",
            .options = {begin_spec, end_spec},
            .make = [](const Options& o) -> std::function<double(double)> {
                const auto [begin, end] = interval(o);
                return [begin = begin, end = end](double t) { return t >= begin && t <= end ? 1.0 : 0.0; };
            },
            .length = [](const Options& o) {
                const auto [begin, end] = interval(o);
                return end - begin;
            },
        },
        {
            .name = "sine",
            .summary = "Factor sin(2 pi frequency t).",
            .options = {{.name = "frequency", .unit = "Hz", .summary = "periods per second", .least = 0, .least_open = true}},
            .make = [](const Options& o) -> std::function<double(double)> {
                const double omega = 2 * std::numbers::pi * o.real("frequency");
                return [omega](double t) { return std::sin(omega * t); };
            },
        },
        {
            .name = "keyframes",
            .summary = "Factors at given times, joined by straight lines; the first before, the last after.",
            .options = {
                {.name = "times", .type = OptionType::reals, .unit = "s", .summary = "ascending"},
                {.name = "factors", .type = OptionType::reals, .summary = "one per time"},
            },
            .make = [](const Options& o) -> std::function<double(double)> {
                const std::vector<double> factors = o.reals("factors");
                const std::vector<double> times = ascending_times(o, factors.size(), "factors");
                return [times, factors](double t) {
                    const auto after = std::upper_bound(times.begin(), times.end(), t);
                    if (after == times.begin()) return factors.front();
                    if (after == times.end()) return factors.back();
                    const auto i = static_cast<std::size_t>(after - times.begin());
                    const double s = (t - times[i - 1]) / (times[i] - times[i - 1]);
                    return (1 - s) * factors[i - 1] + s * factors[i];
                };
            },
        },
    };
    return catalog;
}

} // namespace rubato
