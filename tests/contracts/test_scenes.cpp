#include "scene/build.hpp"
#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

/// Runs a scene for `steps` of its steps and returns how it ended.
struct Ended {
    RunResult result;
    long steps = 0;
    bool finite = false;
};

Ended run_of(const std::string& name, long steps, const std::vector<Override>& overrides = {})
{
    BuiltScene built = rubato::built(scene_named(name, overrides));
    Simulation simulation = built.simulation();
    Ended ended;
    ended.result = simulation.run(std::min(built.duration, static_cast<double>(steps) * built.step));
    ended.steps = simulation.steps();
    ended.finite = simulation.state().finite();
    return ended;
}

/// Newton's method as textbooks have it: exact Hessian, full steps, no line search, no safeguards.
const std::vector<Override> plain_newton{
    {"solver.line_search", "none", "test"},
    {"solver.safeguards", "false", "test"},
    {"solver.hessian", "exact", "test"},
};

TEST(Scenes, EveryOneBuildsAndTakesItsFirstSteps)
{
    ASSERT_FALSE(builtin_scenes().empty());
    for (const BuiltinScene& scene : builtin_scenes()) {
        if (scene.file.starts_with("scenes/torture/")) continue; // test_torture_cubes.cpp has them in a size for here
        const Ended ended = run_of(std::string(scene.name), 2);
        EXPECT_TRUE(ended.result.finished) << scene.name << ": " << ended.result.why;
        EXPECT_EQ(ended.steps, 2) << scene.name;
        EXPECT_TRUE(ended.finite) << scene.name;
    }
}

TEST(Scenes, StretchedCubesConvergeInEveryStepAtOneStepPerFrame)
{
    for (const char* name : {"stretched-cube", "stretched-cube-pulse"}) {
        const Ended ended = run_of(name, 1000);
        EXPECT_TRUE(ended.result.finished) << name << ": " << ended.result.why;
        EXPECT_EQ(ended.steps, 72) << name; // 3 s at 24 Hz, none of them halved
    }
}

TEST(Scenes, StretchedCubesDefeatPlainNewton)
{
    EXPECT_FALSE(run_of("stretched-cube", 1000, plain_newton).result.finished);
    // The pull is slow enough for plain Newton; the pulse after step 36 is not.
    const Ended pulse = run_of("stretched-cube-pulse", 1000, plain_newton);
    EXPECT_FALSE(pulse.result.finished);
    EXPECT_EQ(pulse.steps, 36);
}

TEST(Scenes, PlainNewtonManagesTheStretchedCubeWithShorterSteps)
{
    std::vector<Override> shorter = plain_newton;
    shorter.push_back({"time.step", "1/48", "test"});
    const Ended ended = run_of("stretched-cube", 1000, shorter);
    EXPECT_TRUE(ended.result.finished) << ended.result.why;
}

} // namespace
} // namespace rubato
