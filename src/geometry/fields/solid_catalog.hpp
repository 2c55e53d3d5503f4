#pragma once

#include "base/options.hpp"
#include "geometry/signed_field.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato {

/// One line of the catalog of solids with a closed formula. `make` throws an InputError that names the option when
/// the options do not fit together.
struct SolidEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    std::function<std::unique_ptr<SignedField>(const Options&)> make;
    std::function<double(const Options&)> volume; ///< exact [m^3]
};

const std::vector<SolidEntry>& solid_catalog();

} // namespace rubato
