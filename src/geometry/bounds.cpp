#include "geometry/bounds.hpp"

namespace rubato {

Bounds bounds(const std::vector<Vec3>& nodes)
{
    if (nodes.empty()) return {};
    Bounds b{nodes.front(), nodes.front()};
    for (const Vec3& x : nodes) {
        b.low = b.low.cwiseMin(x);
        b.high = b.high.cwiseMax(x);
    }
    return b;
}

} // namespace rubato
