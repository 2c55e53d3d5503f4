#include "control/energy_options.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

namespace rubato {

OptionSpec scale_spec()
{
    return {.name = "scale",
        .fallback = 1.0,
        .summary = "share of the total energy at the start that the target begins with; the total depends on where "
                   "the energy of gravity is zero",
        .least = 0};
}

OptionSpec ground_spec(std::string summary)
{
    return {.name = "ground", .unit = "J", .summary = std::move(summary), .optional = true};
}

OptionSpec ground_kind_spec()
{
    return {.name = "ground_kind",
        .type = OptionType::choice,
        .summary
        = "what `ground` is; written by a run that found it. equilibrium: all forces balance; friction: it stops "
          "bodies there; bound: something slides on slowly",
        .choices = {"given", "equilibrium", "friction", "bound"},
        .optional = true};
}

std::vector<TimedValue> timed_values(const Options& options, const std::string& name, const std::string& value)
{
    const std::vector<std::vector<double>>& rows = options.table(name);
    if (rows.empty()) {
        throw InputError(Mistake{
            .key = name, .value = "[]", .message = fmt::format("must have at least one row [time, {}]", value)});
    }
    std::vector<TimedValue> values;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string key = fmt::format("{}[{}]", name, i);
        if (rows[i].size() != 2) {
            throw InputError(Mistake{.key = key, .message = fmt::format("must be two numbers [time, {}]", value)});
        }
        const double time = rows[i][0];
        const std::string found = fmt::format("[{:g}, {:g}]", time, rows[i][1]);
        if (time < 0) throw InputError(Mistake{.key = key, .value = found, .message = "time must be >= 0 [s]"});
        if (i > 0 && time <= values.back().time) {
            throw InputError(Mistake{.key = key,
                .value = found,
                .message = fmt::format("times must be ascending: the row before is at {:g} s", values.back().time)});
        }
        values.push_back({time, rows[i][1]});
    }
    return values;
}

} // namespace rubato
