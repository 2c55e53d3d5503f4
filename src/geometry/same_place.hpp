#pragma once

#include "base/types.hpp"

#include <vector>

namespace rubato {

/// For each vertex the first one at exactly the same place, itself where there is none.
std::vector<Index> first_at_same_place(const std::vector<Vec3>& vertices);

} // namespace rubato
