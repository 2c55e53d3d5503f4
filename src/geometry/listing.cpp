#include "geometry/listing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

std::string counted(std::int64_t count, const char* one, const char* many)
{
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string first_and_more(const std::vector<std::string>& first, std::size_t count)
{
    std::string text = fmt::format("{}", fmt::join(first, ", "));
    if (count > first.size()) text += fmt::format(" and {} more", count - first.size());
    return text;
}

std::string listed(const char* one, const char* many, const std::vector<std::size_t>& places)
{
    std::vector<std::string> first;
    for (std::size_t i = 0; i < std::min(places.size(), most_places_listed); ++i) {
        first.push_back(std::to_string(places[i] + 1));
    }
    return fmt::format("{} {}", places.size() == 1 ? one : many, first_and_more(first, places.size()));
}

} // namespace rubato
