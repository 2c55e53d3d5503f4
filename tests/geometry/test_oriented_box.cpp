#include "base/random.hpp"
#include "geometry/oriented_box.hpp"
#include "geometry/transforms.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>

namespace rubato {

namespace {

OrientedBox random_box(Random& random)
{
    const auto vec = [&](double low, double high) {
        return Vec3(random.uniform(low, high), random.uniform(low, high), random.uniform(low, high));
    };
    return {vec(-1, 1), rotation(vec(-1, 1), random.uniform(0, 6)), vec(0.1, 0.6)};
}

/// Distance of two convex boxes by alternating projection onto one and the other (von Neumann): converges from above.
double distance(const OrientedBox& a, const OrientedBox& b)
{
    const auto nearest = [](const OrientedBox& box, const Vec3& p) -> Vec3 {
        const Vec3 local = box.axes.transpose() * (p - box.center);
        return box.center + box.axes * local.cwiseMax(-box.half).cwiseMin(box.half);
    };
    Vec3 p = a.center, q = b.center;
    for (int i = 0; i < 4000; ++i) {
        q = nearest(b, p);
        p = nearest(a, q);
    }
    return (p - q).norm();
}

} // namespace

TEST(OrientedBox, ApartAgreesWithTheDistanceOfRandomBoxes)
{
    Random random(3);
    int apart_count = 0, touching = 0;
    for (int i = 0; i < 400; ++i) {
        const OrientedBox a = random_box(random), b = random_box(random);
        const double d = distance(a, b);
        if (d > 1e-3) {
            EXPECT_TRUE(apart(a, b, 0)) << d;
        }
        if (d < 1e-9) {
            EXPECT_FALSE(apart(a, b, 0));
        }
        if (apart(a, b, 0.1)) {
            EXPECT_GE(d, 0.1 - 1e-6);
        }
        (d > 1e-3 ? apart_count : touching) += 1;
    }
    EXPECT_GT(apart_count, 50);
    EXPECT_GT(touching, 50);
}

TEST(OrientedBox, BoundsHoldItsCorners)
{
    Random random(4);
    const OrientedBox box = random_box(random);
    const Bounds bounds = box.bounds();
    Bounds corners{box.center, box.center};
    for (int i = 0; i < 8; ++i) {
        const Vec3 sign(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        const Vec3 corner = box.center + box.axes * sign.cwiseProduct(box.half);
        corners = {corners.low.cwiseMin(corner), corners.high.cwiseMax(corner)};
    }
    EXPECT_LT((corners.low - bounds.low).norm() + (corners.high - bounds.high).norm(), 1e-14);
}

} // namespace rubato
