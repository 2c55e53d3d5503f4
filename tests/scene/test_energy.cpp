#include "scene/build.hpp"
#include "scene/sample.hpp"

namespace rubato {

namespace {

/// The small scene, a block that hangs from its top, with an energy block.
std::string with_energy(const std::string& energy)
{
    return with(small_scene, "\"fixed\"", "\"energy\": " + energy + ", \"fixed\"");
}

std::vector<Mistake> reading_mistakes(const std::string& energy)
{
    return mistakes_of([&] { scene_in(with_energy(energy)); });
}

/// What a scene's energy block comes to, whatever its integrator.
SceneEnergy energy_of(const std::string& text, GroundSearch search = GroundSearch::when_needed)
{
    const Scene scene = scene_in(text);
    BuiltScene ready = built(scene);
    return scene_energy(scene, *ready.dynamics, {ready.mesh.nodes, ready.bodies, ready.obstacles}, ready.start, search);
}

double start_energy(const BuiltScene& ready)
{
    return ready.dynamics->potential_energy(0, ready.start.x).total() + ready.dynamics->kinetic_energy(ready.start.v);
}

/// What `rubato rest` finds.
double energy_at_rest(const std::string& text)
{
    BuiltScene ready = built(scene_in(text));
    Vector y;
    EXPECT_TRUE(ready.dynamics->rest(0, ready.start.x, y).ok());
    return ready.dynamics->potential_energy(0, y).total();
}

constexpr const char* falling = R"([{"nodes": {"type": "group", "name": "y_max"}}])";

} // namespace

TEST(SceneEnergy, IsHeldUnlessTheSceneSaysOtherwise)
{
    const Scene scene = scene_in(small_scene);
    EXPECT_EQ(scene.root.part("energy").type, "hold");
    EXPECT_EQ(scene.root.part("energy").options.real("scale"), 1);
    const SceneEnergy energy = energy_of(small_scene);
    EXPECT_FALSE(energy.ground.has_value()) << "nobody asked for it";
    EXPECT_EQ(energy.target->next(energy.target->first(12), 0, 1, 3), 15);
}

TEST(SceneEnergy, DefaultsAreWrittenOut)
{
    const std::string text = scene_in(with_energy(R"({"type": "decay", "tau": 10})")).text();
    const auto at = text.find("\"energy\"");
    const std::string block = text.substr(at, text.find('}', at) - at);
    for (const char* part : {R"("type": "decay")", R"("scale": 1.0)", R"("tau": 10.0)", R"("start": 0.0)"}) {
        EXPECT_NE(block.find(part), std::string::npos) << part << " in " << block;
    }
    EXPECT_EQ(block.find("ground"), std::string::npos) << "it is not known yet";
}

TEST(SceneEnergy, MistakesNameTheirPlace)
{
    EXPECT_EQ(reading_mistakes(R"({"type": "decay", "tau": 1})").size(), 0u);
    const auto only = [](const std::string& energy) {
        const auto mistakes = reading_mistakes(energy);
        EXPECT_EQ(mistakes.size(), 1u) << energy;
        return mistakes.empty() ? "" : mistakes[0].key;
    };
    EXPECT_EQ(only(R"({"type": "decay", "tau": 0})"), "energy.tau");
    EXPECT_EQ(only(R"({"type": "decay"})"), "energy.tau");
    EXPECT_EQ(only(R"({"type": "decay", "schedule": [[0, 1], [2, -1]]})"), "energy.schedule[1]");
    EXPECT_EQ(only(R"({"type": "curve", "keyframes": [[1, 1], [0, 1]]})"), "energy.keyframes[1]");
    EXPECT_EQ(only(R"({"type": "curve"})"), "energy.keyframes");
    EXPECT_EQ(only(R"({"type": "decays", "tau": 1})"), "energy.type");
    EXPECT_EQ(only(R"({"scale": -1})"), "energy.scale");
    EXPECT_EQ(only(R"({"tau": 1})"), "energy.tau") << "hold has no tau";
}

TEST(SceneEnergy, GroundLevelIsWhatRestFinds)
{
    const std::string text = with_energy(R"({"type": "decay", "tau": 1})");
    const SceneEnergy energy = energy_of(text);
    ASSERT_TRUE(energy.ground.has_value());
    const double rest = energy_at_rest(text), start = start_energy(built(scene_in(text)));
    EXPECT_LT(rest, start - 0.5);
    EXPECT_NEAR(energy.ground->energy, rest, 1e-6 * (start - rest));
    EXPECT_NEAR(energy.target->next(start, 0, 1e9, 0), rest, 1e-6 * (start - rest));
}

TEST(SceneEnergy, GroundLevelIsFoundFromAStartInsideOut)
{
    const std::string material = R"("type": "stable-neo-hookean")";
    const std::string text = with(with_energy(R"({"type": "decay", "tau": 1})"), R"("type": "neo-hookean")", material);
    const std::string mirrored
        = with(text, "\"density\"", R"("deform": [{"type": "stretch", "factors": [-1, 1.5, 1]}], "density")");
    const double ground = energy_of(text).ground->energy;
    EXPECT_NEAR(energy_of(mirrored).ground->energy, ground, 1e-6 * std::abs(ground));
}

TEST(SceneEnergy, AGivenGroundLevelIsTakenAsItIs)
{
    const SceneEnergy energy = energy_of(with_energy(R"({"type": "decay", "tau": 1, "ground": -7})"));
    EXPECT_EQ(energy.ground->energy, -7);
    EXPECT_NEAR(energy.target->next(5, 0, 1e9, 0), -7, 1e-12);
}

TEST(SceneEnergy, WhatNeverComesToRestNeedsAGivenGroundLevel)
{
    const std::string free = with(with_energy(R"({"type": "decay", "tau": 1})"), falling, "[]");
    const auto mistakes = mistakes_of([&] { energy_of(free); });
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_EQ(mistakes[0].key, "energy.ground");
    EXPECT_NE(mistakes[0].message.find("Give it [J]"), std::string::npos);
    EXPECT_NO_THROW(energy_of(with(free, "\"tau\"", "\"ground\": 0, \"tau\"")));
    EXPECT_NO_THROW(energy_of(with(with_energy("\"hold\""), falling, "[]"))) << "nothing needs it";
}

TEST(SceneEnergy, CheckingASceneDoesNotLookForTheGroundLevel)
{
    const std::string free = with(with_energy(R"({"type": "decay", "tau": 1})"), falling, "[]");
    const SceneEnergy energy = energy_of(free, GroundSearch::never);
    EXPECT_FALSE(energy.ground.has_value());
    EXPECT_EQ(energy.target, nullptr);
}

TEST(SceneEnergy, FractionsOfACurveAreAboveTheGroundLevel)
{
    const std::string text = with_energy(R"({"type": "curve", "keyframes": [[0, 1], [1, 0.25]], "ground": -10})");
    const double start = start_energy(built(scene_in(text)));
    const SceneEnergy energy = energy_of(text);
    EXPECT_NEAR(energy.target->first(0), start, 1e-12 * start);
    EXPECT_NEAR(energy.target->next(start, 0, 1, 0), -10 + 0.25 * (start + 10), 1e-12 * start);
}

TEST(SceneEnergy, AnExpectedTargetErrorNeedsTheGroundLevelToo)
{
    EXPECT_TRUE(energy_of(with(small_scene, "\"fixed\"", R"("expect": {"target_error": 0.1}, "fixed")")).ground);
}

TEST(SceneEnergy, AnIntegratorThatDoesNotAimAtItIsNoted)
{
    const auto notes = [](const std::string& text) { return built(scene_in(text)).notes; };
    EXPECT_TRUE(notes(small_scene).empty());
    EXPECT_TRUE(notes(with_energy(R"({"type": "hold", "scale": 1})")).empty());
    for (const char* energy : {R"({"type": "decay", "tau": 10})", R"({"scale": 0.95})"}) {
        ASSERT_EQ(notes(with_energy(energy)).size(), 1u);
        EXPECT_EQ(notes(with_energy(energy))[0], "energy has no effect: implicit-euler does not aim at an energy");
    }
    const BuiltScene ready = built(scene_in(with_energy(R"({"type": "decay", "tau": 10})")));
    EXPECT_EQ(ready.target, nullptr);
    EXPECT_FALSE(ready.ground.has_value()) << "no solve for nothing";
    EXPECT_EQ(built(scene_in(with_energy(R"({"type": "decay", "tau": 10, "ground": 3})"))).ground, 3) << "to report it";
}

} // namespace rubato
