#include "control/catalog.hpp"
#include "control/fixed.hpp"
#include "control/halving.hpp"
#include "integrators/catalog.hpp"
#include "simulation/fakes.hpp"
#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rubato {

namespace {

using fake::failed;

struct Ride {
    explicit Ride(double h)
        : controller(std::make_unique<FixedStep>(h))
        , simulation(space, integrator, *controller, fake::particle())
    {
        simulation.observe(diary);
    }
    Ride(double h, const HalvingOptions& options)
        : controller(std::make_unique<HalvingStep>(h, options))
        , simulation(space, integrator, *controller, fake::particle())
    {
        simulation.observe(diary);
    }

    fake::EmptySpace space;
    fake::Scripted integrator;
    std::unique_ptr<StepController> controller;
    fake::Diary diary;
    Simulation simulation;
};

/// Saves a simulation of `size` unknowns that begins at the given speed, and loads it into one of three.
std::string complaint_about(Eigen::Index size, double speed)
{
    Ride run(0.1);
    fake::EmptySpace other;
    other.size = size;
    Archive saved;
    Simulation(other, run.integrator, *run.controller, {0, Vector::Zero(size), Vector::Constant(size, speed)})
        .serialize(saved);
    Archive loaded(saved.bytes());
    try {
        run.simulation.serialize(loaded);
    } catch (const Archive::Mismatch& mismatch) {
        return mismatch.what();
    }
    return "";
}

TEST(Simulation, RefusesAStateThatIsNotOneOfItsSystem)
{
    EXPECT_EQ(complaint_about(3, 1), "");
    EXPECT_NE(complaint_about(6, 1).find("6 entries where 3 are needed"), std::string::npos);
    EXPECT_NE(complaint_about(0, 1).find("0 positions and 0 velocities"), std::string::npos);
    EXPECT_NE(complaint_about(3, std::nan("")).find("not finite"), std::string::npos);
}

/// The state fits, but the integrator's history is that of another system.
TEST(Simulation, RefusesAHistoryThatIsNotOneOfItsSystem)
{
    int with_history = 0;
    for (const IntegratorEntry& entry : integrator_catalog()) {
        if (!entry.has_history) continue;
        ++with_history;
        const auto history_bytes = [&](Eigen::Index size) {
            const auto integrator = entry.make(defaults(entry.options));
            FixedStep controller(0.1);
            fake::EmptySpace space;
            space.size = size;
            Simulation run(space, *integrator, controller, {0, Vector::Zero(size), Vector::Ones(size)});
            EXPECT_TRUE(run.run(0.3).finished);
            Archive saved;
            integrator->serialize(saved);
            return saved.bytes().size();
        };
        const bool knows_the_size = history_bytes(3) != history_bytes(6);
        for (const Eigen::Index size : {0, 3, 6}) {
            const auto integrator = entry.make(defaults(entry.options)), fresh = entry.make(defaults(entry.options));
            FixedStep controller(0.1);
            fake::EmptySpace other, space;
            other.size = size;
            Simulation elsewhere(other, *integrator, controller, {0, Vector::Zero(size), Vector::Ones(size)});
            ASSERT_TRUE(elsewhere.run(0.3).finished);
            Archive saved;
            Simulation(space, *integrator, controller, fake::particle()).serialize(saved);

            Simulation simulation(space, *fresh, controller, fake::particle());
            Archive loaded(saved.bytes());
            if (size == 3 || !knows_the_size) {
                EXPECT_NO_THROW(simulation.serialize(loaded)) << entry.name;
            } else {
                EXPECT_THROW(simulation.serialize(loaded), Archive::Mismatch) << entry.name << " of " << size;
            }
        }
    }
    EXPECT_GE(with_history, 3);
}

TEST(Simulation, TakesAsManyStepsAsFitDespiteRoundOff)
{
    const struct {
        double duration, h;
        long steps;
    } cases[] = {
        {1.0, 0.1, 10},
        {0.3, 0.1, 3},
        {10.0, 1.0 / 30, 300},
        {7.0, 1.0 / 24, 168},
        {1.0, 1.0 / 3, 3},
        {2.0, 1.0 / 1500, 3000},
        {1.0, 0.33333333, 3},
        {1.0, 0.33333337, 3},
        {0.1, 0.1, 1},
        {1.0, 0.3, 4},
        {0.25, 0.1, 3},
        {0.05, 0.1, 1},
        {1e-6, 1e-9, 1000},
        {0.1, 1e9, 1},
        {1e-9, 1, 1},
    };
    for (const auto& c : cases) {
        Ride run(c.h);
        EXPECT_TRUE(run.simulation.run(c.duration).finished);
        EXPECT_EQ(run.simulation.steps(), c.steps) << c.duration << " s in steps of " << c.h;
        EXPECT_NEAR(run.simulation.state().t, c.duration, 1e-12 * c.duration);
        double sum = 0;
        for (const double h : run.integrator.accepted) sum += h;
        EXPECT_NEAR(sum, c.duration, 1e-8 * c.h + 1e-12 * c.duration) << "the steps fill the time";
    }
}

TEST(Simulation, TimesOfEqualStepsDoNotDrift)
{
    const double h = 0.1;
    Ride run(h);
    ASSERT_TRUE(run.simulation.run(1000).finished);
    ASSERT_EQ(run.diary.times.size(), 10001u);
    for (std::size_t k = 1; k + 1 < run.diary.times.size(); ++k) {
        ASSERT_EQ(run.diary.times[k], static_cast<double>(k) * h); // a running sum is off by 1e-10 at the end
    }
    EXPECT_EQ(run.diary.times.back(), 1000.0);
}

TEST(Simulation, TellsTheStartOnceAndEveryStepOnce)
{
    Ride run(0.1);
    ASSERT_TRUE(run.simulation.run(0.3).finished);
    ASSERT_TRUE(run.simulation.run(0.5).finished);
    EXPECT_EQ(run.diary.steps, (std::vector<long>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(run.diary.lengths.front(), 0);
}

TEST(Simulation, IsFinishedAtOnceWhenTheEndIsNotAhead)
{
    Ride run(0.1);
    EXPECT_TRUE(run.simulation.run(0).finished);
    EXPECT_EQ(run.simulation.steps(), 0);
    EXPECT_EQ(run.space.begun, 0);
}

TEST(Simulation, TakesRoundOffOfTheEndTimeForNoStep)
{
    Ride run(0.1);
    ASSERT_TRUE(run.simulation.run(0.3).finished);
    ASSERT_TRUE(run.simulation.run(std::nextafter(0.3, 1)).finished);
    EXPECT_EQ(run.simulation.steps(), 3);

    Ride long_step(1e9); // cut to 0.3 s: what counts as round-off is measured by that
    ASSERT_TRUE(long_step.simulation.run(0.3).finished);
    ASSERT_TRUE(long_step.simulation.run(std::nextafter(0.3, 1)).finished);
    EXPECT_EQ(long_step.simulation.steps(), 1);
    ASSERT_TRUE(long_step.simulation.run(0.5).finished);
    EXPECT_EQ(long_step.simulation.steps(), 2);
}

TEST(Simulation, BooksEnergyOfAcceptedStepsOnly)
{
    Ride run(0.1, {.max_halvings = 4, .recover_after = 1});
    run.space.injected_per_step = 3;
    run.integrator.outcome = [](double t, double h) {
        StepOutcome outcome = t > 0.15 && h > 0.06 ? failed(StepStatus::solve_failed) : StepOutcome{};
        outcome.dissipated = 2;
        return outcome;
    };
    ASSERT_TRUE(run.simulation.run(0.4).finished);
    const auto steps = static_cast<double>(run.simulation.steps());
    EXPECT_GT(steps, 4);
    EXPECT_EQ(run.simulation.ledger().injected, 3 * steps);
    EXPECT_EQ(run.simulation.ledger().dissipated, 2 * steps);
    EXPECT_EQ(run.simulation.ledger().initial, 7);
    EXPECT_EQ(run.simulation.ledger().balance(), 7 + steps);
}

TEST(Simulation, SaysWhichStepFailedWhyAndWhatToTry)
{
    Ride run(0.1);
    run.integrator.outcome = [](double t, double) {
        return t > 0.25 ? failed(StepStatus::solve_failed, StopReason::line_search_failed) : StepOutcome{};
    };
    const RunResult result = run.simulation.run(1);
    EXPECT_FALSE(result.finished);
    EXPECT_FALSE(result.interrupted);
    for (const char* part :
        {"step 4", "t = 0.3 s", "h = 0.1 s", "line search found no decrease", "17 iterations", "Try"}) {
        EXPECT_NE(result.why.find(part), std::string::npos) << part << " is missing in: " << result.why;
    }
    EXPECT_EQ(run.simulation.steps(), 3);
    EXPECT_EQ(run.simulation.state().t, 3 * 0.1) << "the last good state stays";
    EXPECT_EQ(run.diary.steps.back(), 3);
}

TEST(Simulation, EveryKindOfFailureHasItsOwnWords)
{
    std::vector<std::string> texts;
    for (const StepStatus status : {StepStatus::solve_failed, StepStatus::inadmissible, StepStatus::not_finite}) {
        Ride run(0.1);
        run.integrator.outcome = [status](double, double) { return failed(status); };
        texts.push_back(run.simulation.run(1).why);
    }
    EXPECT_NE(texts[0], texts[1]);
    EXPECT_NE(texts[1], texts[2]);
    EXPECT_NE(texts[1].find("invert"), std::string::npos);
    EXPECT_NE(texts[2].find("not a number"), std::string::npos);
}

TEST(Simulation, NeverCommitsWhatIsNotFiniteEvenIfTheIntegratorIsContent)
{
    const double inf = std::numeric_limits<double>::infinity();
    for (const double bad : {std::nan(""), inf, -inf}) {
        Ride run(0.1);
        run.integrator.distort = [bad](double x) { return x > 0.45 ? bad : x; };
        const RunResult result = run.simulation.run(1);
        EXPECT_FALSE(result.finished);
        EXPECT_NE(result.why.find("not a number"), std::string::npos);
        EXPECT_EQ(run.simulation.steps(), 4);
        EXPECT_TRUE(run.simulation.state().finite());
    }
    Ride run(0.1); // a finite state of infinite energy
    run.integrator.outcome = [](double, double) { return StepOutcome{}; };
    State fast = fake::particle();
    fast.v *= 1e200;
    Simulation simulation(run.space, run.integrator, *run.controller, fast);
    EXPECT_FALSE(simulation.run(1).finished);
}

TEST(Simulation, StopsBetweenStepsWhenAsked)
{
    Ride run(0.1);
    std::atomic<bool> stop = false;
    run.diary.also = [&](const StepRecord& r) { stop = r.step == 3; };
    const RunResult result = run.simulation.run(1, &stop);
    EXPECT_TRUE(result.interrupted);
    EXPECT_FALSE(result.finished);
    EXPECT_EQ(run.simulation.steps(), 3);
    stop = false;
    run.diary.also = {};
    EXPECT_TRUE(run.simulation.run(1, &stop).finished) << "and can go on";
    EXPECT_EQ(run.simulation.steps(), 10);
}

TEST(Simulation, BeginsEveryAttemptAnewAndRepeatsNoFailedLength)
{
    Ride run(0.1, {.max_halvings = 3, .recover_after = 4});
    run.integrator.outcome
        = [](double, double h) { return h > 0.03 ? failed(StepStatus::solve_failed) : StepOutcome{}; };
    ASSERT_TRUE(run.simulation.run(0.05).finished);
    // 0.1 is cut to the end time, 0.05, and fails; half of 0.1 is the same length, so 0.025 is next.
    EXPECT_EQ(run.space.begun, 3);
    EXPECT_EQ(run.integrator.accepted, (std::vector<double>{0.025, 0.025}));
}

} // namespace

} // namespace rubato
