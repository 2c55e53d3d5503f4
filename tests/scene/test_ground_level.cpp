#include "scene/contact_scene.hpp"

#include <cmath>

namespace rubato {

namespace {

constexpr double g = 9.8;

/// A soft ring that lies flat, its middle 0.3 m up, its lowest point 0.26 m. `obstacles`: what is under it.
std::string ring_above(const std::string& obstacles, const std::string& more = "")
{
    return R"({"time": {"step": 0.01, "duration": 0.1}, "integrator": "a-search", "energy": {"type": "decay", "tau": 1},
        "bodies": [{"name": "ring", "mesh": {"type": "torus", "radius": 0.1, "tube": 0.04, "nodes": 150}, "translate": [0, 0.3, 0], "density": 1000,
            "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4}}])"
        + more + ", \"obstacles\": [" + obstacles + "]}";
}

constexpr const char* box = R"({"type": "box", "center": [0, -0.1, 0], "size": [0.6, 0.2, 0.6]})";
constexpr const char* floor_at_0 = R"({"type": "half-space"})";

/// A block of 0.2 m, a centimetre above a slope of 20 degrees through the origin.
std::string block_on_slope(double friction, const std::string& more = "")
{
    return R"({"time": {"step": 0.01, "duration": 0.1}, "integrator": "a-search", "energy": {"type": "decay", "tau": 1},
        "bodies": [{"name": "block", "mesh": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]},
            "rotate": {"axis": [0, 0, 1], "angle": -20}, "translate": [0.0376, 0.1034, 0],
            "density": 1000, "material": {"type": "neo-hookean", "young": 1e6, "poisson": 0.4}}],
        "contact": {"friction": )"
        + std::to_string(friction) + R"(},
        "obstacles": [{"type": "half-space", "normal": [0.3420201433, 0.9396926208, 0]})"
        + more + "]}";
}

double potential_at_start(const BuiltScene& scene)
{
    return scene.dynamics->potential_energy(0, scene.start.x).total();
}

} // namespace

TEST(GroundLevel, IsThatOfABodyThatCouldSlideOffItsBox)
{
    // Three quarters of the way to the edge: the solve without friction goes over it and falls for ever.
    const std::string text
        = with(with(ring_above(R"({"type": "box", "center": [0, -0.1, 0], "size": [0.4, 0.2, 0.4]})"), "[0, 0.3, 0]",
                   "[0.15, 0.3, 0]"),
            "neo-hookean", "stable-neo-hookean");
    const BuiltScene scene = built_text(text);
    ASSERT_TRUE(scene.ground);
    const double weight = scene.mass() * g;
    EXPECT_NEAR(*scene.ground - potential_at_start(scene), -0.26 * weight, 0.01 * weight);
    Vector y;
    EXPECT_FALSE(built(scene_in(text), GroundSearch::never).dynamics->rest(0, scene.start.x, y).ok());
}

TEST(GroundLevel, IsThatOfABodyOnABoxThatNothingKeepsFromSliding)
{
    const BuiltScene scene = built_text(ring_above(box));
    ASSERT_TRUE(scene.ground);
    const double weight = scene.mass() * g;
    // It falls by 0.26 m and is squashed a little; gravity is zero at its lowest point before that.
    EXPECT_NEAR(*scene.ground - potential_at_start(scene), -0.26 * weight, 0.01 * weight);
    EXPECT_NE(scene.ground_kind, GroundKind::given);

    const BuiltScene level = built_text(ring_above(floor_at_0));
    EXPECT_NEAR(*scene.ground - potential_at_start(scene), *level.ground - potential_at_start(level), 0.002 * weight)
        << "a box carries it as a plane does";
}

TEST(GroundLevel, IsABoundWhereSomethingSlidesOnSlowly)
{
    // A smooth slope of 0.3 degrees has no end and no rest, but hardly drives anything.
    const BuiltScene scene = built_text(ring_above(R"({"type": "half-space", "normal": [0.005236, 0.999986, 0]})"));
    ASSERT_TRUE(scene.ground);
    EXPECT_EQ(scene.ground_kind, GroundKind::bound);
    ASSERT_FALSE(scene.notes.empty());
    EXPECT_NE(scene.notes.back().find("is a bound"), std::string::npos) << scene.notes.back();
    // Its middle comes from 0.3 m to the radius of the tube, and little farther.
    const double fallen = (potential_at_start(scene) - *scene.ground) / (scene.mass() * g);
    EXPECT_GT(fallen, 0.255);
    EXPECT_LT(fallen, 0.28);
}

TEST(GroundLevel, IsThatOfALargeRingThatComesDownTilted)
{
    // It hangs over the edges of its box, one side first.
    std::string text = with(ring_above(R"({"type": "box", "center": [0, -0.1, 0], "size": [0.8, 0.2, 0.8]})"),
        R"("radius": 0.1, "tube": 0.04, "nodes": 150}, "translate": [0, 0.3, 0])",
        R"("nodes": 300}, "translate": [0, 0.8, 0], "rotate": {"axis": [1, 0, 0], "angle": 30})");
    text = with(text, "neo-hookean", "stable-neo-hookean");
    const BuiltScene scene = built_text(text);
    ASSERT_TRUE(scene.ground);
    // Its middle comes from 0.8 m to the radius of the tube, 0.15 m, or a little more.
    const double fallen = (potential_at_start(scene) - *scene.ground) / (scene.mass() * g);
    EXPECT_GT(fallen, 0.55);
    EXPECT_LT(fallen, 0.66);
}

TEST(GroundLevel, IsOnTheBoxAndNotOnTheFloorBesideIt)
{
    const BuiltScene scene
        = built_text(ring_above(std::string(box) + R"(, {"type": "half-space", "point": [0, -5, 0]})"));
    const double weight = scene.mass() * g;
    EXPECT_NEAR(*scene.ground - potential_at_start(scene), -0.26 * weight, 0.01 * weight);
}

TEST(GroundLevel, IsThatOfABodyOnABodyThatIsFixed)
{
    const std::string base = R"({"name": "base", "mesh": {"type": "box", "size": [0.6, 0.2, 0.6], "cells": [3, 1, 3]},
        "translate": [0, -0.1, 0], "density": 1000, "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4}})";
    std::string text = ring_above("", R"(, "contact": {}, "fixed": [{"nodes": {"type": "all", "body": "base"}}])");
    const BuiltScene scene = built_text(with(text, R"("bodies": [)", R"("bodies": [)" + base + ", "));
    ASSERT_EQ(scene.bodies.size(), 2u);
    const double weight = scene.bodies[1].mass * g;
    EXPECT_NEAR(*scene.ground - potential_at_start(scene), -0.26 * weight, 0.01 * weight);
}

TEST(GroundLevel, IsFoundHoweverHighTheFall)
{
    const std::string high = with(ring_above(floor_at_0), "\"translate\": [0, 0.3, 0]", "\"translate\": [0, 60, 0]");
    const BuiltScene scene = built_text(high);
    EXPECT_NEAR(*scene.ground, *built_text(ring_above(floor_at_0)).ground, 1e-3 * scene.mass() * g);
    EXPECT_EQ(scene.ground_kind, GroundKind::equilibrium);
}

TEST(GroundLevel, WhatNothingHoldsIsNamed)
{
    const auto message = [](const std::string& more) {
        return only_mistake(ring_above(R"({"type": "box", "center": [1, 0, 0], "size": [0.2, 0.2, 0.2]})", more));
    };
    for (const char* more : {"", R"(, "damping": [{"type": "drag", "rate": 1000}])"}) { // drag holds nothing either
        EXPECT_NE(message(more).find("energy.ground: is not given"), std::string::npos) << message(more);
        EXPECT_NE(message(more).find("nothing stops body 'ring'"), std::string::npos) << message(more);
        EXPECT_NE(message(more).find("Put an obstacle under it"), std::string::npos) << message(more);
    }
}

TEST(GroundLevel, OnASlopeIsWhereFrictionStopsTheBody)
{
    const BuiltScene scene = built_text(block_on_slope(0.8));
    ASSERT_TRUE(scene.ground);
    EXPECT_EQ(scene.ground_kind, GroundKind::friction);
    const double weight = scene.mass() * g, fallen = (potential_at_start(scene) - *scene.ground) / weight;
    EXPECT_GT(fallen, 0.002);
    EXPECT_LT(fallen, 0.02) << "it drops by a centimetre and stays";
    ASSERT_FALSE(scene.notes.empty());
    EXPECT_NE(scene.notes.back().find("where friction stops"), std::string::npos) << scene.notes.back();

    const std::string floor = R"(, {"type": "half-space", "point": [0, -3, 0]})";
    const BuiltScene above_floor = built_text(block_on_slope(0.8, floor));
    EXPECT_LT((potential_at_start(above_floor) - *above_floor.ground) / weight, 0.02)
        << "it does not slide to the floor";
    const BuiltScene smooth = built_text(block_on_slope(0, floor));
    EXPECT_GT((potential_at_start(smooth) - *smooth.ground) / weight, 2.5) << "without friction it does";
}

TEST(GroundLevel, OnASlopeIsWhereFrictionStopsTheBodyHoweverFastItCreeps)
{
    // Smoothed below 0.1 m/s, friction of 0.8 holds on 20 degrees at a creep of 0.026 m/s.
    const double sharp = *built_text(block_on_slope(0.8)).ground;
    for (const char* speed : {"0.1", "1"}) {
        const std::string text = with(
            block_on_slope(0.8), "\"contact\": {", "\"contact\": {\"friction_speed\": " + std::string(speed) + ", ");
        const BuiltScene scene = built_text(text);
        ASSERT_TRUE(scene.ground);
        EXPECT_EQ(scene.ground_kind, GroundKind::friction) << speed;
        EXPECT_NEAR(*scene.ground, sharp, 1e-3 * scene.mass() * g) << "within a millimetre, at " << speed << " m/s";
    }
}

TEST(GroundLevel, IsAtTheEndOfALongSlopeThatIsNearlyLevel)
{
    // A block of 2 cm on 1.2 degrees, and a wall where it has slid for 8 m.
    const std::string text = R"({"time": {"step": 0.01, "duration": 0.1}, "integrator": "a-search",
        "energy": {"type": "decay", "tau": 1},
        "bodies": [{"name": "block", "mesh": {"type": "box", "size": [0.02, 0.02, 0.02], "cells": [2, 2, 2]},
            "rotate": {"axis": [0, 0, 1], "angle": -1.2}, "translate": [0, 0.0115, 0],
            "density": 1000, "material": {"type": "neo-hookean", "young": 1e6, "poisson": 0.4}}],
        "obstacles": [{"type": "half-space", "normal": [0.0209424199, 0.9997806834, 0]},
            {"type": "half-space", "point": [8, 0, 0], "normal": [-1, 0, 0]}]})";
    const BuiltScene scene = built_text(text);
    ASSERT_TRUE(scene.ground);
    EXPECT_EQ(scene.ground_kind, GroundKind::equilibrium);
    const double fallen = (potential_at_start(scene) - *scene.ground) / (scene.mass() * g);
    EXPECT_NEAR(fallen, 0.0015 + 7.99 * std::tan(1.2 * M_PI / 180), 0.001);
    // The way down by itself, without the solve that goes to an equilibrium however far away it is.
    const double size = 0.02 * std::sqrt(3.0);
    const Settling way = scene.dynamics->settle(scene.start, {.acceleration = g, .size = size, .reach = 800});
    EXPECT_EQ(way.end, Settling::End::resting);
    EXPECT_NEAR(way.x[0] - scene.start.x[0], 7.99, 0.005);
}

TEST(GroundLevel, OfABodyThatRestsAlreadyIsAnEquilibrium)
{
    const Scene scene = scene_in(ring_above(floor_at_0));
    const BuiltScene built_scene = built(scene, GroundSearch::never);
    Vector y;
    ASSERT_TRUE(built_scene.dynamics->rest(0, built_scene.start.x, y).ok());
    const GroundLevel found = ground_level(scene, *built_scene.dynamics,
        {built_scene.mesh.nodes, built_scene.bodies, built_scene.obstacles}, {0, y, 0 * y});
    EXPECT_EQ(found.kind, GroundKind::equilibrium);
    const double weight = built_scene.mass() * g;
    EXPECT_NEAR(found.energy, built_scene.dynamics->potential_energy(0, y).total(), 1e-6 * weight);
}

TEST(GroundLevel, OnASlopeWithoutFrictionOrEndIsNot)
{
    const std::string message = only_mistake(block_on_slope(0));
    EXPECT_NE(message.find("nothing stops body 'block'"), std::string::npos) << message;
}

TEST(GroundLevel, GivingUpTheSearchIsToldFromGoingTooFar)
{
    const BuiltScene scene = built(scene_in(block_on_slope(0)), GroundSearch::never);
    const auto end = [&](double reach, int most_steps) {
        return scene.dynamics->settle(scene.start, {.reach = reach, .most_steps = most_steps}).end;
    };
    EXPECT_EQ(end(10, 500), Settling::End::moving);
    EXPECT_EQ(end(10, 3), Settling::End::unfinished);
}

TEST(GroundLevel, GoesWithItsKindToTheSceneOfARun)
{
    const Scene scene = scene_in(block_on_slope(0.8));
    const BuiltScene once = built(scene);
    const Scene again = scene_in(resolved_scene(scene, once).text());
    EXPECT_EQ(again.root.part("energy").options.text("ground_kind"), "friction");
    const BuiltScene twice = built(again);
    EXPECT_EQ(twice.ground, once.ground);
    EXPECT_EQ(twice.ground_kind, once.ground_kind);
    EXPECT_EQ(twice.ground_iterations, 0);
}

TEST(GroundLevel, LookingForItLeavesNoTrace)
{
    const char* const damped = R"(, "contact": {"friction": 0.5},
        "damping": [{"type": "drag", "rate": 2}, {"type": "rayleigh", "coefficient": 0.01}])";
    for (const char* more : {"", damped}) {
        const Scene scene = scene_in(ring_above(box, more));
        BuiltScene once = built(scene), twice = built(scene_in(resolved_scene(scene, once).text()));
        Simulation searched = once.simulation(), told = twice.simulation();
        ASSERT_TRUE(searched.run(0.3).finished);
        ASSERT_TRUE(told.run(0.3).finished);
        EXPECT_EQ(searched.state().x, told.state().x) << more;
        EXPECT_EQ(searched.state().v, told.state().v) << more;
    }
}

TEST(GroundLevel, DampingIsPutAsideOnlyWhileItIsLookedFor)
{
    const BuiltScene scene = built_text(ring_above(box, R"(, "contact": {"friction": 0.5},
        "damping": [{"type": "drag", "rate": 2}, {"type": "rayleigh", "coefficient": 0.01}])"));
    std::vector<std::string> names;
    for (const auto& dissipation : scene.dynamics->system().dissipations) names.emplace_back(dissipation->name());
    ASSERT_EQ(names.size(), 3u);
    EXPECT_EQ(names.front(), "friction") << names[1] << ", " << names[2];
    EXPECT_EQ(scene.dynamics->settle(scene.start, {.frictions = 1, .most_steps = 2}).end, Settling::End::unfinished);
    ASSERT_EQ(scene.dynamics->system().dissipations.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(scene.dynamics->system().dissipations[i]->name(), names[i]);
}

} // namespace rubato
