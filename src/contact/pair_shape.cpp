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

bool apart_along_centres(const PairShape& shape, const Corners& x, double reach)
{
    const auto centre = [&](int begin, int end) {
        Vec3 sum = Vec3::Zero();
        for (int k = begin; k < end; ++k) sum += x[static_cast<std::size_t>(k)];
        return Vec3(sum / (end - begin));
    };
    const Vec3 first = centre(0, shape.first), line = centre(shape.first, shape.corners) - first;
    double end_of_first = 0, begin_of_second = std::numeric_limits<double>::infinity(); // along the line, times |line|
    for (int k = 0; k < shape.corners; ++k) {
        const double along = (x[static_cast<std::size_t>(k)] - first).dot(line);
        if (k < shape.first)
            end_of_first = std::max(end_of_first, along);
        else
            begin_of_second = std::min(begin_of_second, along);
    }
    const double gap = begin_of_second - end_of_first;
    return gap > 0 && gap * gap > reach * reach * line.squaredNorm();
}

} // namespace rubato
