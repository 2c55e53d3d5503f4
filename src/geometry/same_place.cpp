#include "geometry/same_place.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace rubato {

std::vector<Index> first_at_same_place(const std::vector<Vec3>& vertices)
{
    std::vector<Index> order(vertices.size());
    std::iota(order.begin(), order.end(), 0);
    auto key = [&](Index i) { return std::tuple(vertices[i].x(), vertices[i].y(), vertices[i].z()); };
    std::sort(order.begin(), order.end(), [&](Index i, Index j) {
        const auto a = key(i);
        const auto b = key(j);
        return a < b || (a == b && i < j);
    });
    std::vector<Index> place(vertices.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool again = i > 0 && key(order[i]) == key(order[i - 1]);
        place[order[i]] = again ? place[order[i - 1]] : order[i];
    }
    return place;
}

} // namespace rubato
