#include "contact/pair_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rubato {
namespace {

/// What is said to be apart must be so; and of random pairs that are, the quick test finds most.
TEST(ApartAlongCentres, IsNeverWrongAndMostlyRight)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> anywhere(-1, 1);
    const PairShape shapes[]
        = {{PairKind::point_triangle, 1, 4, {0, 1, 2, 3}, 0}, {PairKind::edge_edge, 2, 4, {0, 1, 2, 3}, 0},
            {PairKind::point_edge, 1, 3, {0, 1, 2, -1}, 0}, {PairKind::point_point, 1, 2, {0, 1, -1, -1}, 0}};
    for (const PairShape& shape : shapes) {
        int apart = 0, said = 0;
        for (int trial = 0; trial < 20000; ++trial) {
            Corners x{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
            const Vec3 between(anywhere(random), anywhere(random), anywhere(random));
            for (int k = 0; k < shape.corners; ++k) {
                x[static_cast<std::size_t>(k)] = 0.5 * Vec3(anywhere(random), anywhere(random), anywhere(random));
                if (k >= shape.first) x[static_cast<std::size_t>(k)] += 2 * between;
            }
            const double reach = 0.3 * std::abs(anywhere(random)), d = std::sqrt(nearest(shape.kind, x).d2);
            apart += d > reach;
            if (!apart_along_centres(shape, x, reach)) continue;
            ++said;
            ASSERT_GT(d, reach * (1 - 1e-12));
        }
        EXPECT_GT(said, 0.8 * apart);
    }
}

TEST(ApartAlongCentres, SaysNothingWhereCentresCoincide)
{
    const PairShape crossing{PairKind::edge_edge, 2, 4, {0, 1, 2, 3}, 0};
    const Corners x{Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(0, 1, 0)};
    EXPECT_FALSE(apart_along_centres(crossing, x, 0));
}

} // namespace
} // namespace rubato
