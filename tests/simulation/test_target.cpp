#include "control/energy_decay.hpp"
#include "control/fixed.hpp"
#include "simulation/fakes.hpp"
#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

/// A particle of 7 J that loses energy on a schedule, while something pushes and something brakes.
struct DecayingRide {
    DecayingRide()
    {
        space.injected_per_step = 0.3;
        integrator.dissipated_per_step = 0.1;
        simulation.observe(diary);
    }
    fake::EmptySpace space;
    fake::Steered integrator;
    FixedStep controller{0.1};
    DecayingEnergy rule{0.95, 1.5, {{0.33, 2}, {1.25, 0.5}}};
    fake::Diary diary;
    Simulation simulation{space, integrator, controller, fake::particle(), &rule};
};

TEST(EnergyTarget, IsToldFromTheStartAndMetByAMethodThatCan)
{
    DecayingRide ride;
    ASSERT_TRUE(ride.simulation.run(2).finished);
    ASSERT_EQ(ride.diary.target.size(), 21u);
    EXPECT_DOUBLE_EQ(ride.diary.target[0], 0.95 * 7);
    EXPECT_DOUBLE_EQ(ride.diary.target[3], 0.95 * 7 + 3 * 0.2) << "no decay before the schedule begins";
    EXPECT_LT(ride.diary.target[20], 0.6 * ride.diary.target[12]);
    for (std::size_t i = 1; i <= 20; ++i) EXPECT_NEAR(ride.diary.total[i], ride.diary.target[i], 1e-13);
}

TEST(EnergyTarget, GoesOnAfterAResumeAsIfNothingHadHappened)
{
    DecayingRide whole, first, second;
    ASSERT_TRUE(whole.simulation.run(2).finished);

    std::atomic<bool> stop{false};
    first.diary.also = [&](const StepRecord& r) { stop = r.step == 9; };
    ASSERT_TRUE(first.simulation.run(2, &stop).interrupted);
    Archive saved;
    first.simulation.serialize(saved);
    Archive loaded(saved.bytes());
    second.simulation.serialize(loaded);
    EXPECT_EQ(second.simulation.ledger().target, whole.diary.target[9]);
    ASSERT_TRUE(second.simulation.run(2).finished);

    ASSERT_EQ(second.diary.target.size(), 11u);
    for (std::size_t i = 0; i < 11; ++i) {
        EXPECT_EQ(second.diary.target[i], whole.diary.target[i + 10]);
        EXPECT_EQ(second.diary.total[i], whole.diary.total[i + 10]);
    }
}

TEST(EnergyTarget, StaysWhereItWasWhenAStepIsRejected)
{
    fake::EmptySpace space;
    fake::Scripted integrator;
    integrator.outcome = [](double, double) { return fake::failed(StepStatus::solve_failed); };
    FixedStep controller(0.1);
    const DecayingEnergy rule(1, 0, {{0, 0.1}});
    Simulation simulation(space, integrator, controller, fake::particle(), &rule);
    EXPECT_FALSE(simulation.run(1).finished);
    EXPECT_EQ(simulation.ledger().target, 7);
}

} // namespace
} // namespace rubato
