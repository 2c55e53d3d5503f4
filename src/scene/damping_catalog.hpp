#pragma once

#include "base/options.hpp"
#include "dynamics/system.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato {

/// One line of the damping catalog. `make` gets a system whose mass and potentials are complete and stay with it.
struct DampingEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    std::function<std::unique_ptr<Dissipation>(const Options&, const System&)> make;
};

const std::vector<DampingEntry>& damping_catalog();

} // namespace rubato
