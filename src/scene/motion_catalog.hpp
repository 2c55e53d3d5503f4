#pragma once

#include "base/options.hpp"
#include "dynamics/prescription.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato {

/// One line of the motion catalog: paths for scripted nodes and for the points that attachments are tied to.
struct MotionEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// Throws InputError when the options do not fit together.
    std::function<std::shared_ptr<const Motion>(const Options&)> make;
};

const std::vector<MotionEntry>& motion_catalog();

/// One line of the profile catalog: how the size of a force changes over time.
struct ForceProfileEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// Factor at time t [s]; an empty function means a constant 1. Throws InputError like MotionEntry::make.
    std::function<std::function<double(double t)>(const Options&)> make;
    /// How long the force acts [s]; empty: as long as the run.
    std::function<double(const Options&)> length = {};
};

const std::vector<ForceProfileEntry>& force_profile_catalog();

} // namespace rubato
