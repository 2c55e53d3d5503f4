#include "geometry/oriented_box.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace rubato {

namespace {

/// Half of the extent of the box along a unit vector.
double reach(const OrientedBox& box, const Vec3& n) { return (box.axes.transpose() * n).cwiseAbs().dot(box.half); }

bool apart_along(const OrientedBox& a, const OrientedBox& b, const Vec3& n, double gap)
{
    return std::abs(n.dot(b.center - a.center)) >= reach(a, n) + reach(b, n) + gap;
}

} // namespace

Bounds OrientedBox::bounds() const
{
    const Vec3 extent = axes.cwiseAbs() * half;
    return {center - extent, center + extent};
}

bool apart(const OrientedBox& a, const OrientedBox& b, double gap)
{
    for (int i = 0; i < 3; ++i) {
        if (apart_along(a, b, a.axes.col(i), gap) || apart_along(a, b, b.axes.col(i), gap)) return true;
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const Vec3 n = a.axes.col(i).cross(b.axes.col(j));
            if (n.norm() > 1e-9 && apart_along(a, b, n.normalized(), gap)) return true;
        }
    }
    return false;
}

} // namespace rubato
