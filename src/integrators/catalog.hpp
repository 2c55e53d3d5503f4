#pragma once

#include "base/options.hpp"
#include "dynamics/integrator.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// One line of the integrator catalog. It feeds the scene reader, `rubato list`, the validator, the docs and the
/// contract tests.
struct IntegratorEntry {
    std::string name; ///< as scenes spell it, e.g. "implicit-euler"
    std::string summary; ///< one sentence
    std::vector<OptionSpec> options = {};
    std::function<std::unique_ptr<Integrator>(const Options&)> make;
    std::function<int(const Options&)> order; ///< order of accuracy with these options
    bool is_explicit = false; ///< stable only for small steps
    bool has_history = false; ///< later steps depend on more than the state; systems rebuilt every step refuse it
    bool starts_lower = false; ///< the first step, which has no history yet, is one of lower order
    bool aims_at_target = false; ///< steers the total energy toward the ledger's target
    double near_enough = 0; ///< with default options: the error, relative to the total energy, that is left uncorrected
    bool keeps_linear_momentum = true; ///< of a free conservative system, to the accuracy of the solves
    bool keeps_angular_momentum = false; ///< likewise
};

const std::vector<IntegratorEntry>& integrator_catalog();

/// The entry of this name, for code that knows it to be there; names from users are looked up by the scene reader.
/// Throws std::logic_error.
const IntegratorEntry& integrator_named(std::string_view name);

} // namespace rubato
