#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rubato {

/// "1 edge", "3 edges"
std::string counted(std::int64_t count, const char* one, const char* many);

/// "3, 8, 9 and 12 more": the first of `count` names.
std::string first_and_more(const std::vector<std::string>& first, std::size_t count);

/// "tetrahedra 3, 8, 9, 12, 20 and 31 more": the first few of some places, which count from 0, as people count.
inline constexpr std::size_t most_places_listed = 5;
std::string listed(const char* one, const char* many, const std::vector<std::size_t>& places);

} // namespace rubato
