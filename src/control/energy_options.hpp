#pragma once

#include "base/options.hpp"

#include <string>
#include <vector>

/// What the energy targets have in common.
namespace rubato {

/// What is known of the energy of a scene before its first step [J].
struct EnergyLevels {
    double initial = 0; ///< H_0, the total energy at the start
    double ground = 0; ///< E_g, the energy of the scene at rest
};

/// A value that holds from a time on, or at a time.
struct TimedValue {
    double time = 0; ///< [s]
    double value = 0;
};

OptionSpec scale_spec();
OptionSpec ground_spec(std::string summary);
OptionSpec ground_kind_spec();

/// A table option whose rows are [time, value]. Throws InputError unless there is one, all have two numbers, and times
/// are ascending from zero on. `value`: what messages call the second number.
std::vector<TimedValue> timed_values(const Options& options, const std::string& name, const std::string& value);

} // namespace rubato
