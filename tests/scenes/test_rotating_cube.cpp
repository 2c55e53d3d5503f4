#include "scene/build.hpp"
#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

/// What each method does with the energy of the rotating cubes (000 Figs. 8 and 9); docs/rotating_cube.md has the
/// figures.
namespace rubato {
namespace {

class TotalEnergy final : public Observer {
public:
    void step(const StepRecord& record) override
    {
        if (record.step == 0) first = record.total();
        last = record.total();
        highest = std::max(highest, record.total());
    }
    double first = 0, last = 0, highest = 0; ///< [J]
};

struct Ended {
    bool finished = false;
    double kept = 0; ///< (last - ground)/(first - ground)
    double highest = 0; ///< highest total over first
};

Ended run_of(const std::string& scene, const std::string& integrator, const std::string& step)
{
    const std::vector<Override> overrides{{"integrator", integrator, "test"}, {"time.step", step, "test"}};
    BuiltScene built = rubato::built(scene_named(scene, overrides));
    Vector y;
    EXPECT_TRUE(built.dynamics->rest(0, built.start.x, y).ok());
    const double ground = built.dynamics->potential_energy(0, y).total();

    Simulation simulation = built.simulation();
    TotalEnergy energy;
    simulation.observe(energy);
    const RunResult result = simulation.run(built.duration);
    return {result.finished, (energy.last - ground) / (energy.first - ground), energy.highest / energy.first};
}

TEST(RotatingCube, DissipativeMethodsLoseMostOfTheEnergyAtThirtyStepsPerSecond)
{
    for (const char* scene : {"rotating-cube-soft", "rotating-cube-stiff"}) {
        for (const char* method : {"implicit-euler", "bdf2"}) {
            const Ended ended = run_of(scene, method, "1/30");
            EXPECT_TRUE(ended.finished) << scene << " " << method;
            EXPECT_LT(ended.kept, 0.1) << scene << " " << method;
        }
    }
}

TEST(RotatingCube, Bdf2KeepsItAtFifteenHundredStepsPerSecond)
{
    for (const char* scene : {"rotating-cube-soft", "rotating-cube-stiff"}) {
        const Ended ended = run_of(scene, "bdf2", "1/1500");
        EXPECT_TRUE(ended.finished) << scene;
        EXPECT_NEAR(ended.kept, 1, 0.01) << scene;
    }
}

TEST(RotatingCube, ImplicitMidpointExplodesAtThirtyStepsPerSecond)
{
    const Ended ended = run_of("rotating-cube-soft", "implicit-midpoint", "1/30");
    EXPECT_TRUE(!ended.finished || ended.highest > 10);
}

} // namespace
} // namespace rubato
