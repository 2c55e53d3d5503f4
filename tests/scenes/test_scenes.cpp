#include "scene/expect.hpp"

#include <gtest/gtest.h>

#include <algorithm>

/// Every scene in scenes/ does what its "expect" block says.
namespace rubato {

namespace {

class SceneFileTest : public testing::TestWithParam<BuiltinScene> { };

std::string test_name(const testing::TestParamInfo<BuiltinScene>& test)
{
    std::string name(test.param.name);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
}

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
