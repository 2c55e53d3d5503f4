#include "control/energy_decay.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rubato {

DecayingEnergy::DecayingEnergy(double scale, double ground, std::vector<TimedValue> schedule)
    : scale_(scale)
    , ground_(ground)
    , schedule_(std::move(schedule))
{
    assert(!schedule_.empty());
}

double DecayingEnergy::next(double E, double t, double t_next, double gained) const
{
    double exponent = 0; // integral of dt/tau
    for (std::size_t i = 0; i < schedule_.size(); ++i) {
        const double begin = std::max(t, schedule_[i].time);
        const double end = i + 1 < schedule_.size() ? std::min(t_next, schedule_[i + 1].time) : t_next;
        if (end > begin) exponent += (end - begin) / schedule_[i].value;
    }
    return ground_ + std::exp(-exponent) * (E - ground_ + gained);
}

std::vector<OptionSpec> DecayingEnergy::options()
{
    return {
        scale_spec(),
        {.name = "tau",
            .unit = "s",
            .summary = "time in which the distance from the ground level falls to 1/e",
            .least = 0,
            .least_open = true,
            .optional = true},
        {.name = "start", .fallback = 0.0, .unit = "s", .summary = "when the decay begins", .least = 0},
        {.name = "schedule",
            .type = OptionType::table,
            .unit = "s",
            .summary = "rows [time, tau] in place of tau and start: tau holds from its time on",
            .optional = true},
        ground_spec("the level it decays to; absent: the energy of the scene at rest, found when a run begins"),
        ground_kind_spec(),
    };
}

std::unique_ptr<EnergyTarget> DecayingEnergy::make(const Options& options, const EnergyLevels& levels)
{
    std::vector<TimedValue> schedule;
    if (!options.has("schedule")) {
        if (!options.has("tau")) {
            throw InputError(Mistake{.key = "tau", .message = "is missing; give tau [s] or a schedule"});
        }
        schedule = {{options.real("start"), options.real("tau")}};
    } else {
        if (options.has("tau")) throw InputError(Mistake{.key = "tau", .message = "give either tau or schedule"});
        if (options.real("start") != 0) {
            throw InputError(Mistake{.key = "start",
                .value = fmt::format("{:g}", options.real("start")),
                .message = "a schedule begins at its first time; leave start out"});
        }
        schedule = timed_values(options, "schedule", "tau");
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            if (schedule[i].value > 0) continue;
            throw InputError(Mistake{.key = fmt::format("schedule[{}]", i),
                .value = fmt::format("[{:g}, {:g}]", schedule[i].time, schedule[i].value),
                .message = "tau must be > 0 [s]"});
        }
    }
    return std::make_unique<DecayingEnergy>(options.real("scale"), levels.ground, std::move(schedule));
}

} // namespace rubato
