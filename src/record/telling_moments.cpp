#include "record/telling_moments.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

std::vector<TellingMoment> telling_moments(const std::optional<Bounces>& bounces, double end, std::size_t count)
{
    count = std::max<std::size_t>(count, 2);
    std::vector<TellingMoment> moments{{0, "start"}};
    if (bounces && count > 2) {
        moments.push_back({bounces->contact_time, "first contact"});
        const std::size_t tops = bounces->tops.size(), room = count - moments.size();
        const std::size_t shown = std::min(tops, room);
        for (std::size_t i = 0; i < shown; ++i) { // evenly from the first to the last
            const std::size_t top = shown < 2 ? 0 : i * (tops - 1) / (shown - 1);
            moments.push_back({bounces->tops[top].time, fmt::format("bounce {}", top + 1)});
        }
    }
    if (moments.size() < count && end > moments.back().time) moments.push_back({end, "end"});
    while (moments.size() < count && end > 0) {
        std::size_t after = 1;
        for (std::size_t i = 1; i < moments.size(); ++i) {
            if (moments[i].time - moments[i - 1].time > moments[after].time - moments[after - 1].time) after = i;
        }
        const double middle = (moments[after - 1].time + moments[after].time) / 2;
        moments.insert(moments.begin() + static_cast<std::ptrdiff_t>(after), TellingMoment{middle});
    }
    return moments;
}

} // namespace rubato
