#include "geometry/inversion.hpp"
#include "scene/build.hpp"
#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <set>

/// The random and the collapsed cubes of scenes/torture, with 7^3 nodes. (With 5^3, whether the soft collapsed one
/// frees its last elements depends on round-off: docs/torture_cubes.md.)
namespace rubato {
namespace {

constexpr const char* cubes[] = {"random-cube-soft", "random-cube-medium", "random-cube-stiff", "collapsed-cube-soft",
    "collapsed-cube-medium", "collapsed-cube-stiff"};

BuiltScene small(const std::string& name, std::vector<Override> overrides = {})
{
    overrides.push_back({"bodies[0].mesh.cells", "[6, 6, 6]", "test"});
    return built(scene_named(name, overrides));
}

TEST(TortureCubes, StartTangled)
{
    for (const char* name : cubes) {
        const BuiltScene scene = small(name);
        EXPECT_GT(inverted_tets(scene.mesh.tets, scene.start.x), scene.mesh.tets.size() / 3) << name;
        EXPECT_EQ(scene.start.v.norm(), 0) << name;
    }
}

TEST(TortureCubes, RecoverWithEveryStepConverged)
{
    for (const char* name : cubes) {
        BuiltScene scene = small(name);
        Simulation simulation = scene.simulation();
        const RunResult result = simulation.run(scene.duration);
        EXPECT_TRUE(result.finished) << name << ": " << result.why;
        EXPECT_EQ(simulation.steps(), std::lround(24 * scene.duration)) << name; // none halved
        EXPECT_EQ(inverted_tets(scene.mesh.tets, simulation.state().x), 0) << name;
    }
}

TEST(TortureCubes, ScatteredNodesDependOnTheSeedAlone)
{
    const auto start = [](const char* seed) {
        return small("random-cube-soft", {{"bodies[0].deform[0].seed", seed, "test"}}).start.x;
    };
    EXPECT_EQ(start("7"), start("7"));
    EXPECT_GT((start("7") - start("8")).norm(), 1);
}

TEST(TortureCubes, ScatteredNodesFillTheBoundingBox)
{
    const BuiltScene scene = built(scene_named("random-cube-soft"));
    for (int k = 0; k < 3; ++k) {
        double low = 1, high = -1, mean = 0;
        const auto nodes = static_cast<Index>(scene.mesh.nodes.size());
        double box_low = 1e9, box_high = -1e9;
        for (Index i = 0; i < nodes; ++i) {
            low = std::min(low, node(scene.start.x, i)[k]);
            high = std::max(high, node(scene.start.x, i)[k]);
            mean += node(scene.start.x, i)[k] / nodes;
            box_low = std::min(box_low, scene.mesh.nodes[static_cast<std::size_t>(i)][k]);
            box_high = std::max(box_high, scene.mesh.nodes[static_cast<std::size_t>(i)][k]);
        }
        EXPECT_GE(low, box_low);
        EXPECT_LT(low, box_low + 0.01);
        EXPECT_LE(high, box_high);
        EXPECT_GT(high, box_high - 0.01);
        EXPECT_NEAR(mean, (box_low + box_high) / 2, 0.02);
    }
}

TEST(TortureCubes, CollapsedNodesAreAtOnePoint)
{
    const Vector middle = small("collapsed-cube-soft").start.x;
    const BuiltScene moved = small("collapsed-cube-soft", {{"bodies[0].deform[0].center", "[1, 2, 3]", "test"}});
    for (Index i = 0; i < static_cast<Index>(moved.mesh.nodes.size()); ++i) {
        EXPECT_EQ(node(middle, i), node(middle, 0));
        EXPECT_EQ(node(moved.start.x, i), Vec3(1, 2, 3));
    }
}

} // namespace
} // namespace rubato
