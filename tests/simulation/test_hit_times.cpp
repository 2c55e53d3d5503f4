#include "contracts/small_systems.hpp"
#include "control/halving.hpp"
#include "simulation/fakes.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace rubato {

namespace {

struct Timed {
    explicit Timed(double h, std::vector<double> times, double growth = std::numeric_limits<double>::infinity())
        : controller(std::make_unique<FixedStep>(h))
        , simulation(space, integrator, *controller, fake::particle())
    {
        integrator.growth = growth;
        simulation.hit(std::move(times));
        simulation.observe(diary);
    }
    bool has(double t) const { return std::count(diary.times.begin(), diary.times.end(), t) == 1; }

    fake::EmptySpace space;
    fake::Scripted integrator;
    std::unique_ptr<StepController> controller;
    fake::Diary diary;
    Simulation simulation;
};

std::vector<double> frame_times(double per_second, double end)
{
    std::vector<double> times;
    for (int k = 0; k / per_second <= end; ++k) times.push_back(k / per_second);
    return times;
}

TEST(HitTimes, AreHitToTheLastBitByEqualStepsThatAreNoSlivers)
{
    for (const double h : {0.01, 0.03, 1.0 / 120, 0.0137, 0.04}) {
        const std::vector<double> times = frame_times(24, 10);
        Timed run(h, times);
        ASSERT_TRUE(run.simulation.run(10).finished);
        for (const double t : times) EXPECT_TRUE(run.has(t)) << t << " s in steps of " << h;

        const std::vector<double>& lengths = run.diary.lengths;
        std::size_t steps_of_a_frame = 0;
        for (std::size_t k = 1; k < lengths.size(); ++k) {
            ASSERT_LE(lengths[k], h * (1 + 1e-9));
            ASSERT_GT(lengths[k], h / 2);
            if (run.diary.times[k] < 1.0 / 24 + 1e-9) ++steps_of_a_frame;
            ASSERT_NEAR(lengths[k], lengths[1], 1e-9 * h) << "all frames are alike";
            ASSERT_NEAR(run.diary.times[k] - run.diary.times[k - 1], lengths[k], 1e-8 * h);
        }
        EXPECT_EQ(steps_of_a_frame, static_cast<std::size_t>(std::ceil(1 / 24.0 / h - 1e-6))) << h;
    }
}

/// A step of another length is another matrix for those who keep factors.
TEST(HitTimes, StepsBetweenTwoOfThemHaveOneLengthToTheLastBit)
{
    Timed run(0.03, {0.1, 0.37, 0.5});
    ASSERT_TRUE(run.simulation.run(0.5).finished);
    const std::vector<double>& lengths = run.integrator.accepted;
    ASSERT_EQ(lengths.size(), 4u + 9u + 5u);
    for (std::size_t k = 1; k < 4; ++k) EXPECT_EQ(lengths[k], lengths[0]);
    for (std::size_t k = 5; k < 12; ++k) EXPECT_EQ(lengths[k], lengths[4]);
    EXPECT_EQ(lengths[4], 0.03) << "0.27 s are nine steps of the wanted length";
}

TEST(HitTimes, OnTheGridOfStepsLeaveTheirLengthsAsTheyAre)
{
    Timed plain(0.1, {}), timed(0.1, {0.3, 0.7, 1.2});
    ASSERT_TRUE(plain.simulation.run(2).finished);
    ASSERT_TRUE(timed.simulation.run(2).finished);
    EXPECT_EQ(plain.integrator.accepted, timed.integrator.accepted);
    EXPECT_EQ(plain.diary.times.size(), timed.diary.times.size());
    EXPECT_EQ(timed.diary.times[3], 0.3); // 3 * 0.1 is above
    EXPECT_EQ(timed.diary.times[4], plain.diary.times[4]) << "and the grid goes on";
    EXPECT_EQ(timed.diary.times[7], 0.7);
}

TEST(HitTimes, CloseToEachOtherForceShortStepsFromWhichLengthsComeBackWithinTheGrowth)
{
    const double growth = 1 + std::numbers::sqrt2;
    const std::vector<double> times = {0.25, 0.2500301, 0.5, 0.5001, 0.5002, 1.0};
    Timed run(0.1, times, growth);
    ASSERT_TRUE(run.simulation.run(2).finished);
    for (const double t : times) EXPECT_TRUE(run.has(t)) << t;
    const std::vector<double>& lengths = run.integrator.accepted;
    double longest_growth = 0;
    for (std::size_t k = 1; k < lengths.size(); ++k) {
        ASSERT_LE(lengths[k], 0.1);
        longest_growth = std::max(longest_growth, lengths[k] / lengths[k - 1]);
    }
    EXPECT_LT(longest_growth, growth) << "at this growth the method would begin anew";
    EXPECT_GT(longest_growth, 0.8 * growth) << "it does not dawdle";
    EXPECT_EQ(std::count(lengths.begin(), lengths.end(), 0.1), 10) << "in the last second";
    EXPECT_LT(lengths.size(), 50u);
}

TEST(HitTimes, OutsideTheRunOrTwiceDoNoHarm)
{
    Timed run(0.1, {-3, 0, 0.25, 0.25, std::nextafter(0.25, 1), 0.5, 7});
    ASSERT_TRUE(run.simulation.run(0.5).finished);
    EXPECT_TRUE(run.has(0.25));
    EXPECT_TRUE(run.has(0.5));
    EXPECT_EQ(run.simulation.steps(), 6);
    ASSERT_TRUE(run.simulation.run(std::nextafter(7.0, 0)).finished);
    EXPECT_EQ(run.simulation.state().t, std::nextafter(7.0, 0)) << "the end is hit where both are one";
    EXPECT_EQ(run.simulation.steps(), 6 + 65);
    ASSERT_TRUE(run.simulation.run(8).finished);
    EXPECT_EQ(run.simulation.steps(), 6 + 65 + 10) << "7 s are over";
}

TEST(HitTimes, AreHitAmongHalvedSteps)
{
    const std::vector<double> times = frame_times(7, 3);
    Timed run(0.1, times);
    HalvingStep halving(0.1, {.max_halvings = 6, .recover_after = 2});
    run.integrator.outcome = [](double t, double h) {
        const double phase = std::fmod(t, 0.9);
        return phase > 0.4 && phase < 0.6 && h > 0.02 ? fake::failed(StepStatus::solve_failed) : StepOutcome{};
    };
    Simulation simulation(run.space, run.integrator, halving, fake::particle());
    simulation.hit(times);
    simulation.observe(run.diary);
    ASSERT_TRUE(simulation.run(3).finished);
    for (const double t : times) EXPECT_TRUE(run.has(t)) << t;
    const auto [least, most] = std::minmax_element(run.integrator.accepted.begin(), run.integrator.accepted.end());
    EXPECT_GT(*least, 0.1 / 16);
    EXPECT_GT(*most, 0.07) << "whole steps come back";
}

/// Saved after any step the run goes on with the same bits.
TEST(HitTimes, SurviveARestart)
{
    const std::vector<double> times = {0.11, 0.1104, 0.5, 0.73};
    Timed whole(0.1, times, 2);
    std::vector<Snapshot> saved;
    whole.diary.also = [&](const StepRecord&) { saved.push_back(whole.simulation.snapshot()); };
    ASSERT_TRUE(whole.simulation.run(1).finished);
    for (std::size_t k = 0; k < saved.size(); ++k) {
        Timed second(0.1, times, 2);
        Archive loaded(saved[k].bytes);
        second.simulation.serialize(loaded);
        ASSERT_TRUE(second.simulation.run(1).finished);
        std::vector<double> joined(
            whole.diary.times.begin(), whole.diary.times.begin() + static_cast<std::ptrdiff_t>(k) + 1);
        joined.insert(joined.end(), second.diary.times.begin(), second.diary.times.end());
        ASSERT_EQ(joined, whole.diary.times) << "after step " << k;
    }
}

TEST(HitTimes, LeaveBdf2ItsOrder)
{
    small::Problem p = small::driven_chain();
    const State exact = small::truth(p);
    const double slope = small::measured_order([&](long steps) {
        const auto integrator = small::made(integrator_named("bdf2"));
        FixedStep controller(p.duration / static_cast<double>(steps));
        Simulation simulation(*p.dynamics, *integrator, controller, p.start);
        simulation.hit({0.1, 0.137, 0.4142, 0.41427, 0.77});
        EXPECT_TRUE(simulation.run(p.duration).finished);
        return small::distance(simulation.state(), exact);
    });
    EXPECT_NEAR(slope, 2, 0.1);
}

} // namespace

} // namespace rubato
