#include "potentials/batch_sums.hpp"

#include <algorithm>

namespace rubato {

void BatchSums::add(std::vector<Item>& items)
{
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.place < b.place; });
    struct Group {
        std::size_t first, last;
    };
    std::vector<Group> groups;
    for (std::size_t k = 0; k < items.size(); ++k) {
        if (k == 0 || items[k].place != items[k - 1].place) groups.push_back({k, k});
        groups.back().last = k;
    }
    std::stable_sort(groups.begin(), groups.end(),
        [](const Group& a, const Group& b) { return a.last - a.first < b.last - b.first; });
    for (const Group& group : groups) {
        places_.push_back(items[group.first].place);
        for (std::size_t k = group.first; k < group.last; ++k) parts_.push_back(items[k].part);
        parts_.push_back(static_cast<std::uint8_t>(items[group.last].part | last));
    }
    first_place_.push_back(static_cast<Index>(places_.size()));
    first_part_.push_back(static_cast<Index>(parts_.size()));
}

} // namespace rubato
