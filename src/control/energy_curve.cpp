#include "control/energy_curve.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace rubato {

EnergyCurve::EnergyCurve(std::vector<TimedValue> points, Interpolation interpolation, bool absolute)
    : points_(std::move(points))
    , interpolation_(interpolation)
    , absolute_(absolute)
{
    assert(!points_.empty());
}

double EnergyCurve::at(double t) const
{
    if (t <= points_.front().time) return points_.front().value;
    if (t >= points_.back().time) return points_.back().value;
    const auto b = std::upper_bound(
        points_.begin(), points_.end(), t, [](double time, const TimedValue& point) { return time < point.time; });
    const auto a = b - 1;
    double r = (t - a->time) / (b->time - a->time);
    if (interpolation_ == Interpolation::smooth) r = r * r * (3 - 2 * r);
    return (1 - r) * a->value + r * b->value;
}

/// A run starts at t = 0.
double EnergyCurve::first(double /*H_0*/) const { return at(0); }

double EnergyCurve::next(double E, double t, double t_next, double gained) const
{
    return absolute_ ? at(t_next) : E + (at(t_next) - at(t)) + gained;
}

std::vector<OptionSpec> EnergyCurve::options()
{
    return {
        {.name = "keyframes",
            .type = OptionType::table,
            .summary = "rows [time, value], times ascending [s]",
            .least = -1e24, // values may be energies
            .most = 1e24},
        {.name = "unit",
            .type = OptionType::choice,
            .fallback = "fraction",
            .summary = "of the values. fraction: share of the energy above the ground level at the start; joule: total "
                       "energy",
            .choices = {"fraction", "joule"}},
        {.name = "interpolation",
            .type = OptionType::choice,
            .fallback = "linear",
            .summary = "linear: straight lines; smooth: cubic pieces that are level at every key",
            .choices = {"linear", "smooth"}},
        {.name = "absolute",
            .type = OptionType::flag,
            .fallback = false,
            .summary = "follow the curve whatever is injected or dissipated; false: these count on top of it"},
        ground_spec("energy at fraction 0; absent: the energy of the scene at rest, found when a run begins"),
        ground_kind_spec(),
    };
}

bool EnergyCurve::needs_ground(const Options& options) { return options.text("unit") == "fraction"; }

std::unique_ptr<EnergyTarget> EnergyCurve::make(const Options& options, const EnergyLevels& levels)
{
    const bool fraction = options.text("unit") == "fraction";
    std::vector<TimedValue> points = timed_values(options, "keyframes", fraction ? "fraction" : "energy");
    for (std::size_t i = 0; fraction && i < points.size(); ++i) {
        TimedValue& point = points[i];
        if (point.value < 0) {
            throw InputError(Mistake{.key = fmt::format("keyframes[{}]", i),
                .value = fmt::format("[{:g}, {:g}]", point.time, point.value),
                .message = "a fraction must be >= 0: nothing has less energy than the ground level"});
        }
        point.value = levels.ground + point.value * (levels.initial - levels.ground);
    }
    const bool smooth = options.text("interpolation") == "smooth";
    return std::make_unique<EnergyCurve>(
        std::move(points), smooth ? Interpolation::smooth : Interpolation::linear, options.flag("absolute"));
}

} // namespace rubato
