#include "base/archive.hpp"
#include "base/parallel.hpp"
#include "friction/flat_block.hpp"

/// Friction is lagged, and lagged again, but nothing of it outlives the step: a run that goes on from a checkpoint, or
/// on another number of threads, ends in the same bits.
namespace rubato {
namespace {

using test::FlatBlock;

struct Tumble {
    BuiltScene built;
    Simulation simulation;

    explicit Tumble(const FlatBlock& block)
        : built(rubato::built(scene_from_text(block.scene(), "block.json", ".")))
        , simulation(built.simulation())
    {
    }
    RunResult go(const std::atomic<bool>* stop = nullptr) { return simulation.run(built.duration, stop); }
    Vector end() const // all that friction had a hand in
    {
        const State& s = simulation.state();
        Vector all(2 * s.x.size() + 1);
        all << s.x, s.v, simulation.ledger().dissipated;
        return all;
    }
};

struct StopAfter final : Observer {
    explicit StopAfter(long steps)
        : last(steps)
    {
    }
    void step(const StepRecord& record) override { enough = record.step == last; }
    long last;
    std::atomic<bool> enough = false;
};

/// It falls a little, slides, tips and stops, on a box: contacts of all kinds come and go.
FlatBlock tumbling(const std::string& integrator)
{
    return {.friction = 0.6,
        .speed = 1,
        .fall = 0.3,
        .above = 1e-3,
        .duration = 0.15,
        .integrator = integrator,
        .friction_iterations = 3,
        .ground = R"({"type": "box", "center": [0.3, -0.5, 0.1], "size": [1.5, 1, 1.5]})"};
}

TEST(FrictionOfAResumedRun, IsThatOfTheWholeRun)
{
    for (const char* integrator : {"a-search", "bdf2", "sdirk2"}) {
        Tumble whole(tumbling(integrator));
        ASSERT_TRUE(whole.go().finished) << integrator;
        ASSERT_GT(whole.simulation.ledger().dissipated, 1) << "[J]: it has been sliding";
        for (long steps = 1; steps < whole.simulation.steps(); steps += 4) {
            Tumble first(tumbling(integrator)), second(tumbling(integrator));
            StopAfter stop(steps);
            first.simulation.observe(stop);
            ASSERT_TRUE(first.go(&stop.enough).interrupted);
            Archive saved;
            first.simulation.serialize(saved);
            Archive loaded(saved.bytes());
            second.simulation.serialize(loaded);
            ASSERT_TRUE(second.go().finished);
            EXPECT_TRUE(whole.end() == second.end()) << integrator << " after step " << steps;
        }
    }
}

TEST(Friction, DoesNotDependOnTheNumberOfThreads)
{
    for (const char* integrator : {"a-search", "sdirk2"}) {
        Vector one;
        for (const int threads : {1, 2, 5}) {
            set_thread_count(threads);
            Tumble run(tumbling(integrator));
            EXPECT_TRUE(run.go().finished);
            if (threads == 1) one = run.end();
            EXPECT_TRUE(one == run.end()) << integrator << " on " << threads << " threads";
        }
    }
    set_thread_count(0);
}

} // namespace
} // namespace rubato
