#include "geometry/polygon.hpp"
#include "geometry/surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace rubato;

namespace {

std::vector<Triangle> cut(const std::vector<Vec3>& corners)
{
    std::vector<Index> polygon(corners.size());
    std::iota(polygon.begin(), polygon.end(), 0);
    std::vector<Triangle> triangles;
    append_triangles(corners, polygon, triangles);
    return triangles;
}

std::vector<Triangle> fan(Index n)
{
    std::vector<Triangle> triangles;
    for (Index i = 2; i < n; ++i) triangles.push_back({0, i - 1, i});
    return triangles;
}

Vec3 twice_area(const std::vector<Vec3>& x, const Triangle& t) { return (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]); }

/// All triangles face the way of the polygon, and their areas add up to its own: so none overlap or stick out.
void expect_tiling(const std::vector<Vec3>& x)
{
    const std::vector<Triangle> triangles = cut(x);
    ASSERT_EQ(triangles.size(), x.size() - 2);
    Vec3 whole = Vec3::Zero();
    for (const Triangle& t : fan(static_cast<Index>(x.size()))) whole += twice_area(x, t);
    double sum = 0;
    for (const Triangle& t : triangles) {
        EXPECT_GT(twice_area(x, t).dot(whole), 1e-9 * whole.squaredNorm());
        sum += twice_area(x, t).norm();
    }
    EXPECT_NEAR(sum, whole.norm(), 1e-12 * sum);
}

/// From every first corner, both ways round, and tilted in space.
void expect_tiling_however_turned(std::vector<Vec3> x)
{
    const Eigen::Matrix3d tilt = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    for (const bool tilted : {false, true}) {
        if (tilted) {
            for (Vec3& p : x) p = tilt * p + Vec3(10, -20, 30);
        }
        for (int way = 0; way < 2; ++way) {
            std::reverse(x.begin(), x.end());
            for (std::size_t i = 0; i < x.size(); ++i) {
                std::rotate(x.begin(), x.begin() + 1, x.end());
                expect_tiling(x);
            }
        }
    }
}

} // namespace

TEST(Polygon, IsAFanFromItsFirstCornerWhereItIsConvex)
{
    EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), fan(3));
    EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}), fan(4));
    EXPECT_EQ(cut({{0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 0}}), fan(4)); // facing down
    EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0.3}, {1, 1, 0}, {0, 1, 0.3}}), fan(4)); // not flat
    std::vector<Vec3> round;
    for (int i = 0; i < 100; ++i) round.emplace_back(5, std::cos(i * M_PI / 50), std::sin(i * M_PI / 50));
    EXPECT_EQ(cut(round), fan(100));
}

TEST(Polygon, IsCutWithinItselfWhereItIsConcave)
{
    expect_tiling_however_turned({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}); // an L
    expect_tiling_however_turned({{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}}); // a quad with a dent
    std::vector<Vec3> comb;
    for (int i = 0; i < 6; ++i) {
        comb.insert(comb.end(), {{2.0 * i, 0, 0}, {2.0 * i, 5, 0}, {2.0 * i + 1, 5, 0}, {2.0 * i + 1, 0, 0}});
    }
    comb.insert(comb.end(), {{11, -1, 0}, {0, -1, 0}});
    expect_tiling_however_turned(comb);
    std::vector<Vec3> star;
    for (int i = 0; i < 14; ++i) {
        const double r = i % 2 == 0 ? 1 : 0.3;
        star.emplace_back(r * std::cos(i * M_PI / 7), r * std::sin(i * M_PI / 7), 0);
    }
    expect_tiling_however_turned(star);
}

TEST(Polygon, HasNoTriangleWithoutAreaForCornersOnStraightSides)
{
    expect_tiling_however_turned({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}});
    expect_tiling_however_turned({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 2, 0}});
    expect_tiling_however_turned(
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1.5, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}});
}

TEST(Polygon, MayHaveAHoleThatACutJoinsToTheOutline)
{
    expect_tiling_however_turned(
        {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 0}, {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}});
}

TEST(Polygon, IsAFanWhereNothingBetterExists)
{
    EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}), fan(4)); // on a line
    EXPECT_EQ(cut({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}), fan(4));
    EXPECT_EQ(cut({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}), fan(4)); // crosses itself, areas cancel
    EXPECT_EQ(cut({{0, 0, 0}, {3, 3, 0}, {3, 0, 0}, {0, 2, 0}, {-1, 1, 0}}).size(), 3U);
}

TEST(Surface, OfConcavePolygonsBecomesTrianglesThatDoNotOverlap)
{
    Surface surface;
    surface.vertices = {{9, 9, 9}, {0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
    surface.corners = {2, 3, 4, 5, 6, 1, 1, 2, 4};
    surface.polygons = {0, 6, 9};
    const TriangleMesh mesh = triangulated(surface);
    ASSERT_EQ(mesh.triangles.size(), 5U);
    EXPECT_EQ(mesh.nodes, surface.vertices);
    for (int i = 0; i < 4; ++i) EXPECT_GT(twice_area(mesh.nodes, mesh.triangles[i]).z(), 0);
    EXPECT_EQ(mesh.triangles[4], (Triangle{1, 2, 4}));
}
