#include "contact/collision_surface.hpp"
#include "contact/shapes.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>
#include <random>
#include <set>

namespace rubato {
namespace {

using std::numbers::pi;
using test::SceneOfParts;

TEST(CollisionSurface, HasEveryEdgeAndPointOfAClosedSurfaceOnce)
{
    SceneOfParts scene;
    scene.add_mesh(test::ball(4));
    scene.add_mesh(test::ball(4), {3, 0, 0});
    const CollisionSurface& s = scene.surface;

    ASSERT_EQ(s.faces.size(), 2u * 12 * 16);
    EXPECT_EQ(s.edges.size(), s.faces.size() * 3 / 2);
    EXPECT_EQ(s.points.size() - s.edges.size() + s.faces.size(), 4u) << "two spheres (Euler)";
    EXPECT_EQ(std::set<Edge>(s.edges.begin(), s.edges.end()).size(), s.edges.size());
    EXPECT_EQ(std::set<Index>(s.points.begin(), s.points.end()).size(), s.points.size());
    for (std::size_t i = 0; i < s.edges.size(); ++i) {
        const auto& [a, b] = s.edges[i];
        EXPECT_LT(a, b);
        EXPECT_DOUBLE_EQ(s.edge_length[i], (node(scene.X, a) - node(scene.X, b)).norm());
        EXPECT_EQ(s.edge_alone[i], 0);
    }
    const auto per_part = static_cast<Index>(s.points.size() / 2);
    for (std::size_t i = 0; i < s.points.size(); ++i) {
        EXPECT_EQ(s.point_part[i], s.points[i] / per_part);
        EXPECT_EQ(s.point_alone[i], 0);
    }
}

TEST(CollisionSurface, SharesTheAreaOfFacesAmongTheirPoints)
{
    SceneOfParts scene;
    const Index first = scene.add_nodes({{0, 0, 0}, {3, 0, 0}, {0, 2, 0}, {3, 4, 0}});
    ASSERT_EQ(first, 0);
    scene.surface.add_faces(scene.surface.add_part({"sheet"}), {{0, 1, 2}, {1, 3, 2}}, scene.X);
    const std::vector<double> expected = {3.0 / 3, (3 + 6.0) / 3, (3 + 6.0) / 3, 6.0 / 3};
    ASSERT_EQ(scene.surface.points, (std::vector<Index>{0, 1, 2, 3}));
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(scene.surface.point_area[i], expected[i], 1e-15);
    EXPECT_EQ(scene.surface.edges.size(), 5u);
}

TEST(CollisionSurface, GivesCurvesAndPointsTheAreaOfTheirTubes)
{
    SceneOfParts scene;
    scene.add_nodes({{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {9, 9, 9}, {8, 8, 8}});
    CollisionSurface& s = scene.surface;
    const double radius = 0.25;
    const Index rod = s.add_part({.name = "rod", .radius = radius});
    s.add_curve(rod, {{0, 1}, {2, 1}}, scene.X);
    s.add_curve(rod, {{1, 0}}, scene.X); // known already
    s.add_point(s.add_part({.name = "bead", .radius = radius}), 3);
    s.add_point(s.add_part({.name = "dust"}), 4);
    s.add_curve(s.add_part({.name = "thread"}), {{0, 1}}, scene.X);

    EXPECT_EQ(s.points, (std::vector<Index>{0, 1, 2, 3, 4, 0, 1}));
    EXPECT_EQ(s.edges, (std::vector<Edge>{{0, 1}, {1, 2}, {0, 1}}));
    EXPECT_EQ(s.point_alone, (std::vector<char>{0, 0, 0, 1, 1, 0, 0}));
    EXPECT_EQ(s.edge_alone, (std::vector<char>{1, 1, 1}));
    const double around = 2 * pi * radius;
    const std::vector<double> areas = {0.5 * around, 1.5 * around, around, 4 * pi * radius * radius, 1, 1, 1};
    for (std::size_t i = 0; i < areas.size(); ++i) EXPECT_NEAR(s.point_area[i], areas[i], 1e-15) << i;
}

TEST(CollisionSurface, KnowsThatAnEdgeOfACurveIsOnAFaceAddedLater)
{
    SceneOfParts scene;
    scene.add_nodes({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    CollisionSurface& s = scene.surface;
    const Index part = s.add_part({"both"});
    s.add_curve(part, {{0, 1}, {0, 3}}, scene.X);
    s.add_faces(part, {{0, 1, 2}}, scene.X);
    EXPECT_EQ(s.edges, (std::vector<Edge>{{0, 1}, {0, 3}, {1, 2}, {0, 2}}));
    EXPECT_EQ(s.edge_alone, (std::vector<char>{0, 1, 0, 0}));
    EXPECT_EQ(s.points, (std::vector<Index>{0, 1, 3, 2}));
    EXPECT_EQ(s.point_alone, (std::vector<char>{0, 0, 0, 0}));
}

TEST(PairRules, HoldInBothOrders)
{
    PairRules rules(3, {.touch = true, .friction = 0.5});
    rules.set(2, 0, {.touch = false, .friction = 0.1});
    EXPECT_FALSE(rules.at(0, 2).touch);
    EXPECT_FALSE(rules.at(2, 0).touch);
    EXPECT_TRUE(rules.at(0, 1).touch);
    EXPECT_EQ(rules.at(1, 1).friction, 0.5);
}

TEST(PairRules, AgreeWithATableOfAllPairs)
{
    constexpr Index parts = 9;
    std::mt19937 random(3);
    for (int round = 0; round < 50; ++round) {
        PairRules rules(parts, {.touch = true, .friction = 0});
        std::vector<std::vector<double>> table(parts, std::vector<double>(parts, 0));
        const auto some = [&] {
            std::vector<Index> list(1 + random() % 4);
            for (Index& part : list) part = static_cast<Index>(random() % parts);
            return list;
        };
        for (int k = 1; k <= 6; ++k) {
            const std::vector<Index> as = some(), bs = k % 3 == 0 ? as : some();
            rules.change(as, bs, [&](PairRule& rule) { rule.friction = k; });
            for (const Index a : as) {
                for (const Index b : bs) {
                    table[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = k;
                    table[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = k;
                }
            }
            if (k == 3) {
                rules.change_within([](PairRule& rule) { rule.friction = 10; });
                for (std::size_t i = 0; i < table.size(); ++i) table[i][i] = 10;
            }
        }
        for (Index a = 0; a < parts; ++a) {
            for (Index b = 0; b < parts; ++b) {
                EXPECT_EQ(rules.at(a, b).friction, table[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)])
                    << round << ": " << a << ", " << b;
            }
        }
    }
}

TEST(PairRules, TakeMemoryByWhatTheyTellApart)
{
    constexpr Index parts = 1'000'000; // a table of all pairs would have 10^12 entries
    PairRules rules(parts, {.touch = true, .friction = 0.5});
    std::vector<Index> even;
    for (Index i = 0; i < parts; i += 2) even.push_back(i);
    rules.change(even, {7}, [](PairRule& rule) { rule.touch = false; });
    EXPECT_EQ(rules.classes(), 3u);
    EXPECT_FALSE(rules.at(7, 4).touch);
    EXPECT_TRUE(rules.at(7, 5).touch);
    EXPECT_TRUE(rules.at(4, 6).touch);
}

} // namespace
} // namespace rubato
