#include "control/catalog.hpp"
#include "control/halving.hpp"
#include "simulation/fakes.hpp"
#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

using fake::failed;

struct Halved {
    Halved(double h, const HalvingOptions& options)
        : controller(h, options)
        , simulation(space, integrator, controller, fake::particle())
    {
        simulation.observe(diary);
    }
    fake::EmptySpace space;
    fake::Scripted integrator;
    HalvingStep controller;
    fake::Diary diary;
    Simulation simulation;
};

TEST(Halving, TakesWholeStepsWhileAllGoesWell)
{
    Halved run(0.125, {});
    ASSERT_TRUE(run.simulation.run(1).finished);
    EXPECT_EQ(run.integrator.accepted, std::vector<double>(8, 0.125));
}

TEST(Halving, HalvesUntilTheStepSucceeds)
{
    Halved run(1, {.max_halvings = 5, .recover_after = 4});
    run.integrator.outcome
        = [](double t, double h) { return t < 0.5 && h > 0.2 ? failed(StepStatus::solve_failed) : StepOutcome{}; };
    ASSERT_TRUE(run.simulation.run(3).finished);
    // 1, 1/2, 1/4 fail; 1/8 four times, then 1/4 would need to begin at a multiple of itself, which 1/2 is.
    const std::vector<double> expected
        = {0.125, 0.125, 0.125, 0.125, 0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0.5}; // the run ends before four halves
    EXPECT_EQ(run.integrator.accepted, expected);
}

TEST(Halving, ComesBackToTheGridBeforeItTakesWholeStepsAgain)
{
    const double h = 0.1;
    for (const int recover_after : {1, 2, 3, 4, 5, 7}) {
        Halved run(h, {.max_halvings = 6, .recover_after = recover_after});
        // Trouble at odd places, with steps that are sometimes one sixty-fourth.
        run.integrator.outcome = [h](double t, double step) {
            const double phase = std::fmod(t, 1.7);
            return phase > 1.1 && phase < 1.25 && step > h / 40 ? failed(StepStatus::inadmissible) : StepOutcome{};
        };
        ASSERT_TRUE(run.simulation.run(20).finished);
        const auto& lengths = run.diary.lengths;
        const auto& times = run.diary.times;
        EXPECT_LT(*std::min_element(lengths.begin() + 1, lengths.end()), h / 40);
        long whole_after_trouble = 0;
        for (std::size_t k = 1; k < lengths.size(); ++k) {
            ASSERT_LE(lengths[k], h);
            if (lengths[k] != h) continue;
            const double begin = times[k - 1] / h;
            ASSERT_NEAR(begin, std::round(begin), 1e-9) << "a whole step begins off the grid at " << times[k - 1];
            if (times[k - 1] > 1.5) ++whole_after_trouble;
        }
        EXPECT_GT(whole_after_trouble, 20) << "it recovers";
    }
}

TEST(Halving, DoublesOnlyAfterTheGivenNumberOfSteps)
{
    Halved run(1, {.max_halvings = 3, .recover_after = 6});
    run.integrator.outcome
        = [](double t, double h) { return t == 0 && h > 0.6 ? failed(StepStatus::not_finite) : StepOutcome{}; };
    ASSERT_TRUE(run.simulation.run(6).finished);
    EXPECT_EQ(run.integrator.accepted, (std::vector<double>{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 1}));
}

TEST(Halving, GivesUpBelowItsShortestStep)
{
    Halved run(0.1, {.max_halvings = 3, .recover_after = 4});
    long attempts = 0;
    run.integrator.outcome = [&](double, double) {
        ++attempts;
        return failed(StepStatus::solve_failed, StopReason::iteration_limit);
    };
    const RunResult result = run.simulation.run(1);
    EXPECT_FALSE(result.finished);
    EXPECT_EQ(attempts, 4);
    EXPECT_NE(result.why.find("h = 0.0125 s"), std::string::npos) << result.why;
}

TEST(Halving, RestartsWhereItWasStopped)
{
    const HalvingOptions options{.max_halvings = 6, .recover_after = 3};
    const auto trouble = [](double t, double h) {
        return t > 0.34 && t < 0.37 && h > 0.01 ? failed(StepStatus::solve_failed) : StepOutcome{};
    };
    Halved whole(0.1, options);
    whole.integrator.outcome = trouble;
    ASSERT_TRUE(whole.simulation.run(2).finished);

    // Stop in the middle of the short steps.
    Halved first(0.1, options);
    first.integrator.outcome = trouble;
    std::atomic<bool> stop = false;
    first.diary.also = [&](const StepRecord& r) { stop = r.state.t > 0.36; };
    ASSERT_TRUE(first.simulation.run(2, &stop).interrupted);
    Archive saved;
    first.simulation.serialize(saved);

    Halved second(0.1, options);
    second.integrator.outcome = trouble;
    Archive loaded(saved.bytes());
    second.simulation.serialize(loaded);
    EXPECT_TRUE(loaded.at_end());
    ASSERT_TRUE(second.simulation.run(2).finished);

    std::vector<double> joined = first.diary.times;
    joined.insert(joined.end(), second.diary.times.begin(), second.diary.times.end());
    EXPECT_EQ(joined, whole.diary.times);
    EXPECT_EQ(first.diary.steps.back() + 1, second.diary.steps.front()) << "a resumed run does not tell its start";
}

TEST(StepControllerCatalog, EveryEntryMakesAControllerThatStartsWithTheSceneStep)
{
    for (const StepControllerEntry& entry : step_controller_catalog()) {
        const auto controller = entry.make(defaults(entry.options), 0.04);
        EXPECT_EQ(controller->first_h(), 0.04) << entry.name;
        const State now = fake::particle();
        const StepOutcome done, not_done = failed(StepStatus::not_finite);
        EXPECT_TRUE(controller->judge(fake::attempted(0.04, now, &now, done)).accept) << entry.name;
        EXPECT_FALSE(controller->judge(fake::attempted(0.04, now, nullptr, not_done)).accept) << entry.name;
    }
}

} // namespace

} // namespace rubato
