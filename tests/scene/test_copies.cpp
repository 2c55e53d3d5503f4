#include "geometry/bounds.hpp"
#include "geometry/oriented_box.hpp"
#include "geometry/transforms.hpp"
#include "scene/build.hpp"
#include "scene/copies_catalog.hpp"
#include "scene/sample.hpp"

#include <gtest/gtest.h>

namespace rubato {

namespace {

/// The small scene, its body (0.2 x 0.4 x 0.6 m, called "b") with `more` in it.
std::string with_named_body(const std::string& more)
{
    return with(small_scene, "\"density\"", "\"name\": \"b\", " + more + ", \"density\"");
}

Bounds bounds_of(const BuiltScene& scene, std::size_t body)
{
    const auto first = scene.mesh.nodes.begin() + scene.bodies[body].first_node;
    return bounds(std::vector<Vec3>(first, first + scene.bodies[body].nodes));
}

/// The box of a turned body of 1 x 2 x 3 cells, from its corner nodes.
OrientedBox box_of(const BuiltScene& scene, std::size_t body)
{
    const auto corner = [&](Index i, Index j, Index k) -> const Vec3& {
        return scene.mesh.nodes[static_cast<std::size_t>(scene.bodies[body].first_node + (k * 3 + j) * 2 + i)];
    };
    const Vec3 o = corner(0, 0, 0), x = corner(1, 0, 0) - o, y = corner(0, 2, 0) - o, z = corner(0, 0, 3) - o;
    OrientedBox box;
    box.center = o + (x + y + z) / 2;
    box.axes << x.normalized(), y.normalized(), z.normalized();
    box.half = Vec3(x.norm(), y.norm(), z.norm()) / 2;
    return box;
}

const std::string strewn = R"("copies": {"type": "random", "count": 12, "min": [-2, -2, -2], "max": [2, 2, 2],
    "gap": 0.05, "rotate": true, "seed": 3})";

} // namespace

TEST(Copies, AGridIsFilledAlongXFirst)
{
    const BuiltScene scene
        = built(scene_in(with_named_body(R"("copies": {"type": "grid", "counts": [3, 1, 2], "spacing": [1, 0, 2]})")));
    ASSERT_EQ(scene.bodies.size(), 6u);
    EXPECT_EQ(scene.bodies[4].name, "b-5");
    EXPECT_LT((bounds_of(scene, 4).center() - Vec3(1, 0, 2)).norm(), 1e-14);
    for (const PlacedBody& body : scene.bodies) EXPECT_NEAR(body.mass, 48, 1e-10);
}

TEST(Copies, ARowStepsAndTurnsAboutEachCentre)
{
    const BuiltScene scene = built(scene_in(with_named_body(
        R"("translate": [5, 0, 0], "copies": {"type": "row", "count": 3, "step": [0, -1, 0], "axis": [1, 0, 0], "angle": 90})")));
    ASSERT_EQ(scene.bodies.size(), 3u);
    EXPECT_LT((bounds_of(scene, 1).center() - Vec3(5, -1, 0)).norm(), 1e-14);
    EXPECT_LT((bounds_of(scene, 1).size() - Vec3(0.2, 0.6, 0.4)).norm(), 1e-14); // y and z changed places
    EXPECT_LT((bounds_of(scene, 2).size() - Vec3(0.2, 0.4, 0.6)).norm(), 1e-14);
}

TEST(Copies, RandomBodiesStayInTheRegionAndApart)
{
    const BuiltScene scene = built(scene_in(with_named_body(strewn)));
    ASSERT_EQ(scene.bodies.size(), 12u);
    for (std::size_t a = 0; a < 12; ++a) {
        const Bounds box = bounds_of(scene, a);
        EXPECT_TRUE((box.low.array() >= -2).all() && (box.high.array() <= 2).all());
        for (std::size_t b = 0; b < a; ++b) EXPECT_TRUE(apart(box_of(scene, a), box_of(scene, b), 0.05 - 1e-12));
    }
}

TEST(Copies, TheSeedDecidesThePlaces)
{
    const BuiltScene one = built(scene_in(with_named_body(strewn))), again = built(scene_in(with_named_body(strewn)));
    EXPECT_EQ(one.start.x, again.start.x);
    const BuiltScene other = built(scene_in(with_named_body(with(strewn, "\"seed\": 3", "\"seed\": 4"))));
    EXPECT_NE(one.start.x, other.start.x);
}

TEST(Copies, RandomBodiesMakeWayForTheOthers)
{
    // A wall that leaves room on one side only, listed after the bodies that have to avoid it.
    const std::string wall = R"(, {"name": "wall", "mesh": {"type": "box", "size": [2, 4, 4], "cells": [1, 1, 1]},
        "translate": [-1, 0, 0], "density": 1, "material": {"type": "arap", "young": 1, "poisson": 0.3}}])";
    const BuiltScene scene = built(scene_in(with(with_named_body(strewn), "\n  ]", wall)));
    ASSERT_EQ(scene.bodies.size(), 13u);
    for (std::size_t b = 0; b < 12; ++b) EXPECT_GE(bounds_of(scene, b).low.x(), 0);
}

TEST(Copies, NoRoomIsAMistakeThatSaysHowManyFitted)
{
    const auto mistakes
        = mistakes_of([] { built(scene_in(with_named_body(with(strewn, "\"count\": 12", "\"count\": 3000")))); });
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_EQ(mistakes[0].key, "bodies[0].copies.count");
    EXPECT_NE(mistakes[0].message.find("no room after"), std::string::npos) << mistakes[0].message;
}

TEST(Copies, SelectionsNameOneCopyOrAllOfThem)
{
    const std::string grid = R"("copies": {"type": "grid", "counts": [2, 1, 1], "spacing": [1, 0, 0]})";
    const auto held = [&](const std::string& body) {
        const BuiltScene scene = built(scene_in(
            with(with_named_body(grid), "\"name\": \"y_max\"", "\"name\": \"y_max\", \"body\": \"" + body + "\"")));
        return scene.selections.at(0).nodes;
    };
    EXPECT_EQ(held("b"), 2 * held("b-2"));
}

TEST(Copies, ABodyMayNotBeCalledLikeACopy)
{
    const std::string two
        = with(with_named_body(R"("copies": {"type": "row", "count": 2, "step": [1, 0, 0]})"), "\n  ]",
            R"(, {"name": "b-2", "mesh": {"type": "box", "size": [1, 1, 1], "cells": [1, 1, 1]}, "translate": [0, 9, 0],
        "density": 1, "material": {"type": "arap", "young": 1, "poisson": 0.3}}])");
    const auto mistakes = mistakes_of([&] { built(scene_in(two)); });
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_NE(mistakes[0].message.find("'b-2'"), std::string::npos);
}

TEST(Copies, MayNotLeaveThePrecisionOfNumbersOrFillTheMemory)
{
    const auto far = mistakes_of(
        [] { built(scene_in(with_named_body(R"("copies": {"type": "row", "count": 2, "step": [1e9, 0, 0]})"))); });
    ASSERT_EQ(far.size(), 1u);
    EXPECT_EQ(far[0].key, "bodies[0].copies");
    const auto many = mistakes_of([] {
        built(scene_in(with(with_named_body(R"("copies": {"type": "row", "count": 100000, "step": [1, 0, 0]})"),
            "[1, 2, 3]", "[10, 10, 10]")));
    });
    ASSERT_EQ(many.size(), 1u);
    EXPECT_NE(many[0].message.find("nodes"), std::string::npos);
}

TEST(Copies, MoveLikeBodiesWrittenOutOneByOne)
{
    const std::string one_by_one = with(with_named_body(R"("translate": [1, 0, 0])"), "\n  ]",
        R"(, {"name": "c", "mesh": {"type": "box", "size": [0.2, 0.4, 0.6], "cells": [1, 2, 3]}, "translate": [2, 0, 0],
        "density": 1000, "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4}}])");
    const BuiltScene a = built(scene_in(one_by_one));
    const BuiltScene b = built(scene_in(
        with_named_body(R"("translate": [1, 0, 0], "copies": {"type": "row", "count": 2, "step": [1, 0, 0]})")));
    ASSERT_EQ(a.start.x.size(), b.start.x.size());
    EXPECT_LT((a.start.x - b.start.x).lpNorm<Eigen::Infinity>(), 1e-14);
    Vector x = a.start.x;
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] *= 1 + 0.01 * std::sin(static_cast<double>(i));
    EXPECT_NEAR(a.dynamics->potential_energy(0, x).elastic, b.dynamics->potential_energy(0, x).elastic,
        1e-9 * a.dynamics->potential_energy(0, x).elastic);
}

TEST(Builder, SizeAndCenterPlaceAMeshFromAnywhere)
{
    const BuiltScene scene = built(scene_in(with_named_body(R"("size": 3, "center": true, "translate": [0, 7, 0])")));
    EXPECT_NEAR(bounds_of(scene, 0).size().z(), 3, 1e-14);
    EXPECT_LT((bounds_of(scene, 0).center() - Vec3(0, 7, 0)).norm(), 1e-14);
    EXPECT_EQ(mistakes_of([] { scene_in(with_named_body(R"("size": 3, "scale": 2)")); }).size(), 1u);
}

} // namespace rubato
