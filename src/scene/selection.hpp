#pragma once

#include "base/options.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rubato {

/// A body as selections see it: a range of the system's nodes, and its named groups (node numbers within the body).
struct SelectableBody {
    std::string name, family; ///< copies of one body share the family
    Index first = 0, count = 0;
    const std::map<std::string, std::vector<Index>>* groups = nullptr;
};

/// The nodes of some bodies in the placed rest shape.
struct SelectableNodes {
    const std::vector<Vec3>& X; ///< of all nodes of the system [m]
    std::vector<SelectableBody> bodies;
};

/// One line of the selection catalog: a rule that picks nodes.
struct SelectionEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// System node numbers, ascending. Throws InputError when the rule cannot be applied; may return none.
    std::function<std::vector<Index>(const Options&, const SelectableNodes&)> pick;
};

const std::vector<SelectionEntry>& selection_catalog();

/// The option all selections share: restricts the choice to one body.
const OptionSpec& selection_body_spec();

} // namespace rubato
