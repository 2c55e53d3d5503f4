#include "base/random.hpp"
#include "distance/oracle.hpp"
#include "distance/pairs.hpp"
#include "geometry/distance.hpp"

#include <gtest/gtest.h>

#include <limits>

/// Nearest points against a search that knows no regions.
namespace rubato {
namespace {

using namespace pairs;
constexpr double unit_round = std::numeric_limits<double>::epsilon();
constexpr int per_family = 15000; // 105000 of each kind

class NearestPoints : public testing::TestWithParam<PairKind> { };

std::string nearest_name(const testing::TestParamInfo<PairKind>& info) { return name(info.param); }

/// Calls check(x, family) for every pair.
template <class Check>
void for_pairs(PairKind kind, std::uint64_t seed, int count, const Check& check)
{
    for (const Family family : families) {
        Random random(seed + static_cast<std::uint64_t>(family));
        for (int i = 0; i < count; ++i) check(pair(kind, family, random), family, random);
    }
}

TEST_P(NearestPoints, DistanceIsThatOfASearchOverAllPoints)
{
    double worst = 0;
    for_pairs(GetParam(), 1, per_family, [&](const Corners& x, Family family, Random&) {
        const double size = diameter(GetParam(), x);
        const auto found = static_cast<double>(std::sqrt(oracle::searched_d2(GetParam(), oracle::extended(x))));
        const Nearest at = nearest(GetParam(), x);
        const double error = std::abs(std::sqrt(at.d2) - found);
        if (size > 0) worst = std::max(worst, error / size);
        ASSERT_LE(error, 4 * unit_round * size) << name(family) << ", found " << found;
        ASSERT_EQ(at.d2, at.gap.squaredNorm());
        // The other oracle, which the tests of derivatives and of times of impact rely on.
        const oracle::Points points = oracle::extended(x);
        ASSERT_NEAR(static_cast<double>(oracle::normal_distance(GetParam(), points)), found, unit_round * size)
            << name(family);
    });
    RecordProperty("worst_error_per_diameter", std::to_string(worst / unit_round) + " eps");
}

TEST_P(NearestPoints, PointsLieInThePrimitivesAndAreJoinedByTheGap)
{
    for_pairs(GetParam(), 20, per_family / 3, [&](const Corners& x, Family family, Random&) {
        const Nearest at = nearest(GetParam(), x);
        const double size = diameter(GetParam(), x);
        double in_first = 0, in_second = 0;
        Vec3 gap = Vec3::Zero();
        for (int k = 0; k < 4; ++k) {
            if (k < first(GetParam())) {
                ASSERT_GE(at.weight[k], 0);
                in_first += at.weight[k];
            } else {
                ASSERT_LE(at.weight[k], 0);
                in_second += at.weight[k];
            }
            if (k < all(GetParam())) gap += at.weight[k] * (x[k] - x[0]);
        }
        ASSERT_NEAR(in_first, 1, 4 * unit_round);
        ASSERT_NEAR(in_second, -1, 4 * unit_round);
        ASSERT_LE((gap - at.gap).norm(), 8 * unit_round * size) << name(family);
        for (int k = all(GetParam()); k < 4; ++k) ASSERT_EQ(at.weight[k], 0);
    });
}

// The plane across the gap has the primitives on its two sides. No search and no regions: this alone proves that the
// distance is the least. Which of the long sides of a needle is nearer can be lost in round-off, hence its tolerance.
TEST_P(NearestPoints, GapSeparatesThePrimitives)
{
    for_pairs(GetParam(), 40, per_family / 3, [&](const Corners& x, Family family, Random&) {
        const Nearest at = nearest(GetParam(), x);
        const double size = diameter(GetParam(), x);
        const bool needle
            = GetParam() == PairKind::point_triangle && (family == Family::needle || family == Family::nearly_parallel);
        const double tolerance = (needle ? 1e-11 : 4 * unit_round) * size * size;
        for (int i = 0; i < first(GetParam()); ++i)
            for (int j = first(GetParam()); j < all(GetParam()); ++j)
                ASSERT_GE(at.gap.dot(x[i] - x[j]), at.d2 - tolerance) << name(family);
    });
}

TEST_P(NearestPoints, SlidesAreTheDerivativesOfTheGapAndNormalToIt)
{
    int free = 0;
    for_pairs(GetParam(), 60, per_family / 3, [&](const Corners& x, Family family, Random&) {
        const Nearest at = nearest(GetParam(), x);
        const double size = diameter(GetParam(), x);
        free += at.freedom;
        for (int m = 0; m < at.freedom; ++m) {
            Vec3 slide = Vec3::Zero();
            double sum = 0, largest = 1;
            for (int k = 0; k < all(GetParam()); ++k) {
                slide += at.slide_weight[m][k] * (x[k] - x[0]);
                sum += at.slide_weight[m][k];
                largest = std::max(largest, std::abs(at.slide_weight[m][k]));
            }
            ASSERT_LE((slide - at.slide[m]).norm(), 16 * unit_round * largest * size) << name(family);
            ASSERT_LE(std::abs(sum), 4 * unit_round * largest);
            ASSERT_GT(at.slide[m].norm(), 0);
            ASSERT_LE(std::abs(at.slide[m].dot(at.gap)), 16 * unit_round * size * at.slide[m].norm()) << name(family);
        }
        if (at.freedom == 2) {
            ASSERT_LE(std::abs(at.slide[0].dot(at.slide[1])), 4 * unit_round * at.slide[0].norm() * at.slide[1].norm());
        }
    });
    if (GetParam() != PairKind::point_point) {
        EXPECT_GT(free, per_family / 3);
    }
}

TEST_P(NearestPoints, DistanceDoesNotDependOnPlaceAndAttitude)
{
    for_pairs(GetParam(), 80, per_family / 3, [&](const Corners& x, Family family, Random& random) {
        const double size = diameter(GetParam(), x);
        const Mat3 R = rotation(random.uniform(0, 3), random);
        const Vec3 shift = size * in_cube(random);
        Corners y;
        for (int k = 0; k < 4; ++k) y[k] = R * (x[k] - x[0]) + shift;
        const double moved = std::sqrt(nearest(GetParam(), y).d2);
        ASSERT_NEAR(moved, std::sqrt(nearest(GetParam(), x).d2), 32 * unit_round * size) << name(family);
    });
}

TEST_P(NearestPoints, AnOffsetOfAllCornersCostsNoDigit)
{
    Random random(5);
    for (int i = 0; i < per_family; ++i) {
        Corners x = unit_pair(GetParam(), Family::close, random);
        for (Vec3& corner : x)
            for (int k = 0; k < 3; ++k) corner[k] = std::round(corner[k] * 0x1p20) * 0x1p-20; // stays exact below
        Corners far = x;
        for (Vec3& corner : far) corner += Vec3(0x1p30, -0x1p29, 0x1p28);
        const Nearest here = nearest(GetParam(), x), there = nearest(GetParam(), far);
        ASSERT_EQ(here.d2, there.d2);
        ASSERT_EQ(here.weight, there.weight);
    }
}

TEST_P(NearestPoints, DistanceDoesNotDependOnTheOrderOfCorners)
{
    for_pairs(GetParam(), 100, per_family / 3, [&](const Corners& x, Family family, Random&) {
        const double size = diameter(GetParam(), x);
        const double d = std::sqrt(nearest(GetParam(), x).d2);
        const auto same = [&](Corners y) {
            ASSERT_NEAR(std::sqrt(nearest(GetParam(), y).d2), d, 8 * unit_round * size) << name(family);
        };
        if (GetParam() == PairKind::point_triangle) {
            same({x[0], x[2], x[3], x[1]});
            same({x[0], x[3], x[2], x[1]});
        } else if (GetParam() == PairKind::edge_edge) {
            same({x[2], x[3], x[0], x[1]});
            same({x[1], x[0], x[2], x[3]});
        } else if (GetParam() == PairKind::point_edge) {
            same({x[0], x[2], x[1], x[3]});
        } else {
            same({x[1], x[0], x[2], x[3]});
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Kinds, NearestPoints, testing::ValuesIn(kinds), nearest_name);

TEST(NearestRegions, PointTriangleHasSeven)
{
    const Vec3 a(0, 0, 0), b(4, 0, 0), c(0, 4, 0);
    struct Case {
        Vec3 p;
        double d2;
        std::array<double, 4> weight;
    };
    const std::vector<Case> cases = {
        {{1, 1, 3}, 9, {1, -0.5, -0.25, -0.25}},
        {{2, -3, 4}, 25, {1, -0.5, -0.5, 0}},
        {{-3, 2, 4}, 25, {1, -0.5, 0, -0.5}},
        {{3, 3, 1}, 3, {1, 0, -0.5, -0.5}},
        {{-1, -2, 2}, 9, {1, -1, 0, 0}},
        {{6, -1, 2}, 9, {1, 0, -1, 0}},
        {{-2, 5, 2}, 9, {1, 0, 0, -1}},
    };
    for (const Case& one : cases) {
        const Nearest at = nearest(PairKind::point_triangle, {one.p, a, b, c});
        EXPECT_NEAR(at.d2, one.d2, 1e-14 * one.d2);
        for (int k = 0; k < 4; ++k) EXPECT_NEAR(at.weight[k], one.weight[k], 1e-15);
        int corners = -1;
        for (int k = 1; k < 4; ++k) corners += one.weight[k] != 0;
        EXPECT_EQ(at.freedom, corners);
    }
}

TEST(NearestRegions, EdgeEdgeHasNine)
{
    const Vec3 a0(0, 0, 0), a1(2, 0, 0);
    for (int i = -1; i <= 1; ++i) // where the crossing with the other edge lies: before, on, beyond
        for (int j = -1; j <= 1; ++j) {
            const Vec3 crossing(1 + 2 * i, 0, 1);
            const Vec3 b0 = crossing + Vec3(0, -1 - 2 * j, 0), b1 = b0 + Vec3(0, 2, 0);
            const Nearest at = nearest(PairKind::edge_edge, {a0, a1, b0, b1});
            EXPECT_EQ(at.d2, 1 + std::abs(i) + std::abs(j));
            EXPECT_EQ(at.freedom, (i == 0) + (j == 0));
            EXPECT_EQ(at.weight[1], 0.5 * (i + 1));
            EXPECT_EQ(-at.weight[3], 0.5 * (j + 1));
        }
}

TEST(NearestRegions, ParallelEdgesTouchWithARim)
{
    const Corners beside = {Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(1, 1, 0), Vec3(2, 1, 0)};
    const Nearest at = nearest(PairKind::edge_edge, beside);
    EXPECT_EQ(at.d2, 1);
    EXPECT_EQ(at.freedom, 1);
    const Corners in_line = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(3, 0, 0), Vec3(5, 0, 0)};
    EXPECT_EQ(nearest(PairKind::edge_edge, in_line).d2, 4);
    EXPECT_EQ(nearest(PairKind::edge_edge, in_line).freedom, 0);
}

TEST(NearestRegions, PrimitivesThatAreAPointHaveNoFreedom)
{
    const Vec3 p(1, 2, 3), q(4, 6, 3);
    for (const PairKind kind : kinds) {
        const Corners x = kind == PairKind::edge_edge ? Corners{p, p, q, q} : Corners{p, q, q, q};
        const Nearest at = nearest(kind, x);
        EXPECT_EQ(at.d2, 25);
        EXPECT_EQ(at.freedom, 0);
        EXPECT_EQ(nearest(kind, {p, p, p, p}).d2, 0);
    }
}

} // namespace
} // namespace rubato
