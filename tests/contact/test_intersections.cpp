#include "contact/crossing.hpp"
#include "contact/intersections.hpp"
#include "contact/shapes.hpp"
#include "contact_scenes/checker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace rubato {
namespace {

using test::SceneOfParts;
using Kind = Intersection::Kind;

std::vector<Intersection> found_in(const SceneOfParts& scene, const PairRules& rules)
{
    return intersections(scene.surface, rules, scene.X, scene.X);
}

std::vector<Intersection> found_in(const SceneOfParts& scene)
{
    return found_in(scene, PairRules(scene.surface.parts.size()));
}

TEST(Intersections, OfCrossingSurfacesAreThoseOfBruteForce)
{
    SceneOfParts scene;
    scene.add_mesh(test::ball(7));
    scene.add_mesh(test::ball(5, 0.7), {0.8, 0.3, 0.1});
    scene.add_mesh(test::ball(4, 0.5), {5, 0, 0});
    std::mt19937 random(1);
    const CollisionSurface& s = scene.surface;
    const Vector x
        = scene.X + test::random_vector(static_cast<Index>(scene.X.size()), 0.1, random); // crosses itself too

    std::set<std::pair<Index, Index>> expected;
    for (std::size_t e = 0; e < s.edges.size(); ++e) {
        for (std::size_t f = 0; f < s.faces.size(); ++f) {
            const auto& [p, q] = s.edges[e];
            const auto& [a, b, c] = s.faces[f];
            const auto nodes = {a, b, c};
            if (std::count(nodes.begin(), nodes.end(), p) + std::count(nodes.begin(), nodes.end(), q) > 0) continue;
            if (segment_meets_triangle(node(x, p), node(x, q), node(x, a), node(x, b), node(x, c))) {
                expected.insert({static_cast<Index>(e), static_cast<Index>(f)});
            }
        }
    }
    const auto found = intersections(s, PairRules(3), scene.X, x);
    std::set<std::pair<Index, Index>> pairs;
    for (const Intersection& i : found) {
        EXPECT_EQ(i.kind, Kind::edge_through_face);
        EXPECT_EQ(i.part_a, s.edge_part[i.first]);
        EXPECT_EQ(i.part_b, s.face_part[i.second]);
        EXPECT_TRUE(pairs.insert({i.first, i.second}).second) << "twice";
        const Vec3 a = node(x, s.faces[i.second][0]);
        const Vec3 normal = (node(x, s.faces[i.second][1]) - a).cross(node(x, s.faces[i.second][2]) - a).normalized();
        EXPECT_LT(std::abs((i.place - a).dot(normal)), 1e-12);
    }
    EXPECT_GT(expected.size(), 100u);
    EXPECT_EQ(pairs, expected);

    test::CheckedScene checked;
    checked.triangles = s.faces;
    EXPECT_EQ(test::verdict(checked, x).intersections, static_cast<long>(expected.size()));
}

TEST(Intersections, AreNoneBetweenThingsThatAreApart)
{
    SceneOfParts scene;
    scene.add_mesh(test::ball(6));
    scene.add_mesh(test::ball(6), {2 + 1e-9, 0, 0});
    scene.add_mesh(test::ball(6, 0.5)); // inside the first: it crosses nothing
    EXPECT_TRUE(found_in(scene).empty());
}

TEST(Intersections, AreFoundWhereFlatSidesTouch)
{
    SceneOfParts scene;
    const TetMesh cube = box_mesh(Vec3::Ones(), {2, 2, 2});
    const TriangleMesh block{cube.nodes, boundary_triangles(cube.tets)};
    const Index first = scene.add_mesh(block);
    EXPECT_TRUE(found_in(scene).empty()) << "neighbours in a flat side do not cross";
    const Index second = scene.add_mesh(block, {1, 0.25, 0.125});
    const auto found = found_in(scene);
    ASSERT_FALSE(found.empty());
    for (const Intersection& i : found) {
        EXPECT_EQ(std::minmax(i.part_a, i.part_b), std::minmax(first, second));
        EXPECT_NEAR(i.place[0], 0.5, 0.5);
    }
    for (Index i = 0; i < scene.X.size() / 6; ++i) node(scene.X, i)[0] -= 1e-12;
    EXPECT_TRUE(found_in(scene).empty());
}

TEST(Intersections, FollowTheRules)
{
    SceneOfParts scene;
    scene.add_mesh(test::ball(4), {0, 0, 0}, {.name = "a"});
    scene.add_mesh(test::ball(4), {1, 0, 0}, {.name = "b"});
    EXPECT_FALSE(found_in(scene).empty());
    PairRules apart(2);
    apart.set(0, 1, {.touch = false});
    EXPECT_TRUE(found_in(scene, apart).empty());
    scene.surface.parts[0].kinematic = true;
    EXPECT_FALSE(found_in(scene).empty());
    scene.surface.parts[1].kinematic = true;
    EXPECT_TRUE(found_in(scene).empty());
}

TEST(Intersections, TellPointsInOrOnAHalfSpace)
{
    SceneOfParts scene;
    CollisionSurface& s = scene.surface;
    const Index n = scene.add_nodes({{0, 0.5, 0}, {0, 0, 0}, {0, -1, 0}, {3, 0.2, 0}, {0, -1, 3}});
    for (Index k = 0; k < 3; ++k) s.add_point(s.add_part({"dust"}), n + k);
    s.add_point(s.add_part({.name = "bead", .radius = 0.25}), n + 3);
    s.add_point(s.add_part({.name = "peg", .kinematic = true}), n + 4);
    s.half_spaces.push_back({.part = s.add_part({.name = "floor", .kinematic = true})});
    const auto found = found_in(scene);
    std::vector<Index> points;
    for (const Intersection& i : found) {
        EXPECT_EQ(i.kind, Kind::point_behind_half_space);
        EXPECT_EQ(i.part_b, 5);
        points.push_back(i.first);
    }
    EXPECT_EQ(points, (std::vector<Index>{1, 2, 3}));
}

TEST(Intersections, TellWhatIsTooCloseForItsRadius)
{
    SceneOfParts scene;
    CollisionSurface& s = scene.surface;
    scene.add_mesh(test::ball(6));
    Index n = scene.add_nodes({{0, 0, 1.2}, {1.3, -2, 0}, {1.3, 2, 0}, {0, 0, 1.52}});
    const Index sphere = s.add_part({.name = "sphere", .radius = 0.19});
    const Index rod = s.add_part({.name = "rod", .radius = 0.29});
    const Index bead = s.add_part({.name = "bead", .radius = 0.12});
    s.add_point(sphere, n);
    s.add_curve(rod, {{n + 1, n + 2}}, scene.X);
    s.add_point(bead, n + 3);
    EXPECT_TRUE(found_in(scene).empty());

    s.parts[sphere].radius = 0.205; // now in the ball, and in the bead
    std::vector<Intersection> found = found_in(scene);
    ASSERT_GE(found.size(), 2u);
    for (const Intersection& i : found) EXPECT_EQ(i.kind, Kind::too_close);
    EXPECT_EQ(found.back().pair, PairKind::point_point);
    EXPECT_EQ(std::minmax(found.back().part_a, found.back().part_b), std::minmax(sphere, bead));
    EXPECT_LT((found.back().place - Vec3(0, 0, 1.36)).norm(), 1e-12);
    EXPECT_EQ(found.front().pair, PairKind::point_triangle);

    s.parts[sphere].radius = 0.1;
    s.parts[rod].radius = 0.31;
    found = found_in(scene);
    ASSERT_FALSE(found.empty());
    for (const Intersection& i : found) {
        EXPECT_EQ(i.kind, Kind::too_close);
        EXPECT_EQ(std::max(i.part_a, i.part_b), rod);
        EXPECT_LT((i.place - Vec3(1.15, 0, 0)).norm(), 0.2);
    }

    s.parts[rod].radius = 1e-3; // a needle through the ball
    node(scene.X, n + 1) = Vec3(0.01, 0.02, -2);
    node(scene.X, n + 2) = Vec3(0.02, 0.03, 1.1);
    found = found_in(scene);
    EXPECT_GE(std::count_if(found.begin(), found.end(), [](auto& i) { return i.kind == Kind::edge_through_face; }), 2);
}

} // namespace
} // namespace rubato
