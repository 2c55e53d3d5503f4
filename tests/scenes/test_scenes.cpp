#include "builtin_scene.hpp"
#include "scene/expect.hpp"

#include <gtest/gtest.h>

/// Every scene in scenes/ does what its "expect" block says.
namespace rubato {

namespace {

class SceneFileTest : public testing::TestWithParam<BuiltinScene> { };

} // namespace

TEST_P(SceneFileTest, MeetsItsExpectations)
{
    const Scene scene = scene_named(std::string(GetParam().name));
    BuiltScene ready = built(scene);
    Simulation simulation = ready.simulation();
    Expectations expectations(scene, ready);
    simulation.observe(expectations);
    for (const std::string& sentence : expectations.unmet(simulation.run(ready.duration))) ADD_FAILURE() << sentence;
}

INSTANTIATE_TEST_SUITE_P(All, SceneFileTest, testing::ValuesIn(builtin_scenes()), test_name);

} // namespace rubato
