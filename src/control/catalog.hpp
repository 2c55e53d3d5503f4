#pragma once

#include "base/options.hpp"
#include "dynamics/step_controller.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato {

/// One line of the step-controller catalog. `make` gets the options and the step length the scene asks for [s].
struct StepControllerEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    std::function<std::unique_ptr<StepController>(const Options&, double h)> make;
};

const std::vector<StepControllerEntry>& step_controller_catalog();

} // namespace rubato
