#pragma once

#include "control/energy_options.hpp"
#include "dynamics/energy_target.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato {

/// One line of the catalog of energy targets. All of them take the option "ground"; whoever makes one sees to it that
/// EnergyLevels::ground is that, or else, where `needs_ground` says so, what a quasi-static solve finds.
struct EnergyTargetEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// Throws InputError if the options do not fit together.
    std::function<std::unique_ptr<EnergyTarget>(const Options&, const EnergyLevels&)> make;
    std::function<bool(const Options&)> needs_ground; ///< whether the target depends on the ground level
};

const std::vector<EnergyTargetEntry>& energy_target_catalog();

} // namespace rubato
