#include "scene/expect.hpp"
#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

/// Every scene, from start to end, against its own expect block. Minutes, hence labelled slow.
namespace rubato {
namespace {

class Scenes : public testing::TestWithParam<BuiltinScene> { };

TEST_P(Scenes, MeetTheirExpectations)
{
    const Scene scene = scene_named(std::string(GetParam().name));
    BuiltScene built = rubato::built(scene);
    Simulation simulation(*built.dynamics, *built.integrator, *built.controller, built.start);
    Expectations expectations(scene, built);
    simulation.observe(expectations);
    const RunResult result = simulation.run(built.duration);
    for (const std::string& sentence : expectations.unmet(result)) ADD_FAILURE() << sentence;
}

std::string identifier(const testing::TestParamInfo<BuiltinScene>& info)
{
    std::string name(info.param.name);
    for (char& c : name) {
        if (c == '-') c = '_';
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Builtin, Scenes, testing::ValuesIn(builtin_scenes()), identifier);

} // namespace
} // namespace rubato
