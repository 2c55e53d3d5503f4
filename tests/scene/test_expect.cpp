#include "control/energy_hold.hpp"
#include "scene/expect.hpp"
#include "scene/sample.hpp"

namespace rubato {

namespace {

/// Runs a scene and says which of its expectations were not met.
std::vector<std::string> unmet(const std::string& expect, const std::vector<Override>& overrides = {})
{
    const Scene scene = scene_in(with(small_scene, "\"fixed\"", "\"expect\": " + expect + ", \"fixed\""), overrides);
    BuiltScene ready = built(scene);
    Simulation simulation = ready.simulation();
    Expectations expectations(scene, ready);
    simulation.observe(expectations);
    return expectations.unmet(simulation.run(ready.duration));
}

} // namespace

TEST(Expectations, OfAGoodRunAreMet)
{
    EXPECT_TRUE(
        unmet(R"({"energy_ratio": [0.5, 1.1], "peak_energy_ratio": [1, 1.1], "newton_per_step": 50, "inverted_tets": 0,
        "places": [{"nodes": {"type": "group", "name": "y_min"}, "min": [-0.01, -0.4, -0.01], "max": [0.01, -0.2, 0.01]}]})")
            .empty());
}

TEST(Expectations, EachOneCanFail)
{
    for (const char* expect : {R"({"finishes": false})", R"({"energy_ratio": [2, 3]})", R"({"energy_ratio": [0, 0.1]})",
             R"({"peak_energy_ratio": [2, 3]})", R"({"newton_per_step": 1})",
             R"({"places": [{"nodes": {"type": "group", "name": "y_min"}, "min": [-1, 0, -1], "max": [1, 1, 1]}]})"}) {
        EXPECT_EQ(unmet(expect).size(), 1u) << expect;
    }
}

TEST(Expectations, InvertedTetrahedraAtTheEndAreCounted)
{
    // A mirrored block of this material stays mirrored.
    const std::vector<Override> mirrored{{"bodies[0].material.type", "fixed-corotated", "--set"},
        {"bodies[0].deform", R"([{"type": "stretch", "factors": [-1, 1, 1]}])", "--set"},
        {"time.duration", "1e-3", "--set"}, {"time.step", "1e-3", "--set"}};
    EXPECT_EQ(unmet(R"({"inverted_tets": 0})", mirrored).size(), 1u);
    EXPECT_EQ(unmet(R"({"inverted_tets": 100000})", mirrored).size(), 0u);
}

TEST(Expectations, TheDistanceFromTheTargetIsRelativeToTheEnergyAboveGround)
{
    // Implicit Euler aims at nothing; here it is watched as if it did.
    const auto sentences = [](const std::string& expect) {
        const Scene scene = scene_in(with(small_scene, "\"fixed\"", "\"expect\": " + expect + ", \"fixed\""));
        BuiltScene ready = built(scene);
        const double start = ready.dynamics->potential_energy(0, ready.start.x).total();
        ready.target = std::make_unique<HeldEnergy>(1.5);
        ready.ground = start - 10 * start; // so the distance is about half the energy, a twentieth of what counts
        Simulation simulation = ready.simulation();
        Expectations expectations(scene, ready);
        simulation.observe(expectations);
        return expectations.unmet(simulation.run(ready.duration));
    };
    EXPECT_TRUE(sentences(R"({"target_error": 0.06, "target_error_last": 0.07})").empty());
    EXPECT_EQ(sentences(R"({"target_error": 0.04})").size(), 1u);
    EXPECT_EQ(sentences(R"({"target_error_last": 0.04})").size(), 1u);
}

TEST(Expectations, ATargetErrorIsNotMetByAMethodWithoutATarget)
{
    const auto sentences = unmet(R"({"target_error": 100, "target_error_last": 100})");
    ASSERT_EQ(sentences.size(), 2u);
    EXPECT_NE(sentences[0].find("does not aim at an energy"), std::string::npos);
}

TEST(Expectations, AFailedRunDoesNotFinish)
{
    const std::vector<Override> hopeless{
        {"solver.max_iterations", "1", "--set"}, {"solver.tolerance", "1e-14", "--set"}};
    EXPECT_EQ(unmet("{}", hopeless).size(), 1u);
    EXPECT_EQ(unmet(R"({"finishes": false})", hopeless).size(), 0u);
}

} // namespace rubato
