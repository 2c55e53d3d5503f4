#include "contact_scenes/judged_run.hpp"

#include <fstream>
#include <sstream>

/// The published scenes with much contact, at the moment of impact: what falls is let go just above what it falls on,
/// with the speed of the fall. The checker judges every step.
namespace rubato::test {
namespace {

std::string scene_text(const std::string& name)
{
    std::ifstream file(fmt::format("{}/scenes/{}/{}.json", RUBATO_SOURCE_DIR, name, name));
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_FALSE(text.str().empty()) << name;
    return text.str();
}

/// `steps` steps of a scene whose first body starts at `place` with `velocity`.
void strike(const std::string& name, const std::string& place, const std::string& velocity, int steps,
    std::vector<Override> overrides = {})
{
    overrides.push_back({"bodies[0].mesh.nodes", "1000", ""}); // a bunny with fewer nodes hits as hard
    overrides.push_back({"bodies[0].translate", place, ""});
    overrides.push_back({"bodies[0].velocity", R"([{"type": "linear", "velocity": )" + velocity + "}]", ""});
    overrides.push_back({"time.duration", fmt::format("{}", steps / 120.0), ""});
    JudgedRun run(scene_text(name), overrides);
    run.run_cleanly();
}

TEST(BunnyStairs, HitStairsWithoutACrossing) { strike("bunny-stairs", "[0, 0.79, 0.13]", "[0, -3, 0.5]", 40); }

TEST(BunnyStairs, HitStairsFastWithoutACrossing)
{
    strike("bunny-stairs", "[0, 0.8, 0.13]", "[0, -12, 3]", 20, {{"time.controller", R"("halving")", ""}});
}

/// 180 of the 500 cubes, under the bunny.
TEST(BunnySplash, GoesIntoCubesWithoutACrossing)
{
    std::vector<Override> fewer;
    for (int layer = 1; layer <= 5; ++layer) {
        fewer.push_back({fmt::format("bodies[{}].copies.counts", layer), "[6, 1, 6]", ""});
    }
    strike("bunny-splash", "[-0.072, 0.2, -0.072]", "[0, -2.4, 0]", 12, fewer);
}

/// Eight dice in a row, thrown at the ground and at each other, with friction from 0 to 1.
TEST(Dice, RollWithoutACrossing)
{
    std::string bodies, pairs;
    for (int k = 0; k < 8; ++k) {
        const char* separator = k > 0 ? "," : "";
        bodies += separator;
        bodies += body_text(fmt::format("die-{}", k),
            R"({"type": "rounded-cube", "size": [0.1, 0.1, 0.1], "edge_radius": 0.012, "nodes": 200})",
            Vec3(0.16 * (k - 3.5), 0.1, 0), Vec3(k % 2 == 0 ? 1 : -1, -2.5, 0.3), 3e5,
            R"(, "rotate": {"axis": [1, 0.3, 0.2], "angle": 35})");
        pairs += fmt::format(R"({}{{"between": ["die-{}", "ground"], "friction": {}}})", separator, k, k * k / 49.0);
    }
    JudgedRun run(
        fmt::format(R"({{"time": {{"step": "1/120", "duration": 0.35}}, "integrator": "a-search", "bodies": [{}],
        "obstacles": ["half-space"], "contact": {{"dhat": 1e-3, "pairs": [{}]}}}})",
            bodies, pairs));
    run.run_cleanly();
}

} // namespace
} // namespace rubato::test
