#include "fixture.hpp"
#include "record/run_figures.hpp"
#include "record/target_watch.hpp"

namespace rubato::test {

namespace {

Options range()
{
    Options options;
    options.set("alpha_min", 0.0);
    options.set("alpha_max", 1.1);
    return options;
}

/// Steps of 0.1 s of a run of 10 s, 1 J at stake, in which the energy is so far from its target.
class Steps {
public:
    void take(int count, double above, double alpha)
    {
        for (int i = 0; i < count; ++i) {
            moment_.outcome.alpha = alpha;
            moment_.ledger.target = moment_.kinetic + moment_.potential.total() - above;
            watch.step(moment_.record(step_, 0.1 * step_, 0.1), 1);
            ++step_;
        }
    }
    TargetWatch watch{range(), 10};

private:
    Moment moment_;
    int step_ = 1;
};

} // namespace

TEST(TargetWatch, TellsOfWhatStaysAwayAndNotOfWhatPasses)
{
    Steps steps;
    steps.take(9, -0.2, 1.1); // a short flight
    steps.take(50, 0.04, 0);
    EXPECT_FALSE(steps.watch.left());
    steps.take(12, -0.3, 1.1);
    EXPECT_TRUE(steps.watch.left());
    EXPECT_NEAR(steps.watch.away(), 1.2, 1e-9);
    EXPECT_NEAR(steps.watch.since(), 5.9, 1e-9);
    EXPECT_NEAR(steps.watch.worst(), -0.3, 1e-9);
    EXPECT_NE(steps.watch.reason().find("alpha_max: energy is missing"), std::string::npos);
}

TEST(TargetWatch, SaysWhyTheEnergyIsTooHigh)
{
    Steps steps;
    steps.take(12, 4, 0);
    EXPECT_NEAR(steps.watch.worst(), 4, 1e-9);
    EXPECT_NE(steps.watch.reason().find("alpha is at alpha_min"), std::string::npos);
    EXPECT_NE(away_from_target(1.2, 0, 4, "r").find("up to 400 % above it"), std::string::npos);
    EXPECT_NE(away_from_target(1.2, 0, -0.3, "r").find("up to 30 % below it"), std::string::npos);
}

TEST(TargetWatch, NoticesWhatGoesBelowTheGroundLevelWithItsTargetMet)
{
    TargetWatch watch{range(), 10};
    Moment moment;
    for (int step = 1; step <= 20; ++step) {
        moment.potential.gravity = 2.5 - step; // and as much more motion
        moment.kinetic = 4 + step;
        moment.ledger.target = moment.kinetic + moment.potential.total();
        watch.step(moment.record(step, 0.1 * step, 0.1), 1, 0.0);
        EXPECT_EQ(watch.sank(), step >= 3) << step; // the potential energy is 2.93 J - step
    }
    EXPECT_FALSE(watch.left());
    EXPECT_NEAR(watch.sank_at(), 0.3, 1e-12);
    EXPECT_NEAR(watch.depth(), 20 - 2.5 - 0.1 - 1.0 / 3, 1e-12);
}

TEST(TargetWatch, NothingCanBeCorrectedInFreeFall)
{
    Steps steps;
    steps.take(12, 0.2, 1);
    EXPECT_NE(steps.watch.reason().find("free fall"), std::string::npos) << steps.watch.reason();
}

TEST(TargetWatch, ChangingSidesIsNotStayingAway)
{
    Steps steps;
    for (int i = 0; i < 10; ++i) {
        steps.take(6, 0.2, 0);
        steps.take(6, -0.2, 1.1);
    }
    EXPECT_FALSE(steps.watch.left());
}

TEST(TargetWatch, GoesOnFromACheckpoint)
{
    Steps whole, first;
    whole.take(12, 0.2, 0);
    first.take(6, 0.2, 0);
    Archive saved;
    first.watch.serialize(saved);
    Steps second;
    second.take(6, 0, 1); // forgotten when it is loaded
    Archive archive(saved.bytes());
    second.watch.serialize(archive);
    second.take(6, 0.2, 0);
    EXPECT_TRUE(second.watch.left());
    EXPECT_NEAR(second.watch.away(), whole.watch.away(), 1e-9);
}

TEST(RunFigures, WhatIsKeptIsNeverLessThanNothing)
{
    EXPECT_EQ(share_kept(0.982, 1), "98.2 %");
    EXPECT_EQ(share_kept(-0.0001, 1), "0.0 %");
    EXPECT_EQ(share_kept(-0.004, 1), "below");
    EXPECT_EQ(share_kept(-3, 0), "below");
    RunFigures run;
    run.start_energy = -5;
    run.end_energy = -7;
    EXPECT_FALSE(run.energy_left()) << "of less than nothing there is no share";
    run.ground = -8;
    EXPECT_NEAR(*run.energy_left(), 1.0 / 3, 1e-12);
    run.end_energy = -9;
    EXPECT_LT(*run.energy_left(), 0);
}

} // namespace rubato::test
