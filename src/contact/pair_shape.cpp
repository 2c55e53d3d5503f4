#include "contact/pair_shape.hpp"

#include "geometry/bounds.hpp"

#include <algorithm>
#include <limits>

namespace rubato {

namespace {

double distance(const Bounds& a, const Bounds& b)
{
    return std::max((a.low - b.high).maxCoeff(), (b.low - a.high).maxCoeff());
}

} // namespace

Corners corners_of(const PairShape& shape, const Vector& x)
{
    Corners at{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    for (int k = 0; k < shape.corners; ++k) {
        at[static_cast<std::size_t>(k)] = node(x, shape.nodes[static_cast<std::size_t>(k)]);
    }
    return at;
}

double box_distance(const PairShape& shape, const Corners& x)
{
    const auto box_of = [&](int begin, int end) {
        Bounds box{x[static_cast<std::size_t>(begin)], x[static_cast<std::size_t>(begin)]};
        for (int k = begin + 1; k < end; ++k) {
            const Vec3& corner = x[static_cast<std::size_t>(k)];
            box = {box.low.cwiseMin(corner), box.high.cwiseMax(corner)};
        }
        return box;
    };
    return distance(box_of(0, shape.first), box_of(shape.first, shape.corners));
}

double box_distance(const PairShape& shape, const Corners& x, const Corners& p)
{
    const auto box_of = [&](int begin, int end) {
        Bounds box{Vec3::Constant(std::numeric_limits<double>::infinity()),
            Vec3::Constant(-std::numeric_limits<double>::infinity())};
        for (int k = begin; k < end; ++k) {
            const auto i = static_cast<std::size_t>(k);
            const Vec3 from = x[i] - x[0], to = from + (p[i] - p[0]);
            box = {box.low.cwiseMin(from.cwiseMin(to)), box.high.cwiseMax(from.cwiseMax(to))};
        }
        return box;
    };
    return distance(box_of(0, shape.first), box_of(shape.first, shape.corners));
}

} // namespace rubato
