#include "record/bounces.hpp"
#include "record/run_figures.hpp"
#include "record/telling_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato {

namespace {

/// A point that falls from `drop` [m] and rises to given shares of it, one flight after the other; g = 10 m/s^2.
StatsTable bouncing(double drop, const std::vector<double>& shares, double weight)
{
    StatsTable table{.names = {"time", "gravity", "contacts"}, .columns = {{}, {}, {}}, .file = "made"};
    double time = 0;
    const auto add = [&](double height, double contacts) {
        table.columns[0].push_back(time);
        table.columns[1].push_back(weight * (height - 3)); // wherever its zero is
        table.columns[2].push_back(contacts);
        time += 0.001;
    };
    for (double t = 0; 5 * t * t < drop; t += 0.001) add(drop - 5 * t * t, 0);
    for (const double share : shares) {
        add(0, 7);
        const double v = std::sqrt(20 * share * drop);
        for (double t = 0.001; v * t - 5 * t * t > 0; t += 0.001) add(v * t - 5 * t * t, 0);
    }
    add(0, 7);
    return table;
}

} // namespace

TEST(Bounces, AreHowHighTheCentreOfMassRisesAgain)
{
    const auto found = bounces(bouncing(0.5, {0.9, 0.5, 0.004, 0.3}, 40), 40);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->drop, 0.5, 1e-2);
    EXPECT_NEAR(found->contact_time, std::sqrt(0.1), 2e-3);
    ASSERT_EQ(found->tops.size(), 3u) << "a hop that nobody sees does not count";
    EXPECT_NEAR(found->share(0), 0.9, 0.01);
    EXPECT_NEAR(found->tops[0].rise, 0.45, 0.01);
    EXPECT_NEAR(found->tops[0].time, std::sqrt(0.1) + std::sqrt(0.09), 5e-3);
    EXPECT_NEAR(found->share(2), 0.3, 0.01);
    EXPECT_NEAR(found->height(), 0.5 * 1.7, 0.02);
    EXPECT_EQ(found->shares(), "90, 50, 30 %");

    EXPECT_EQ(bounces(bouncing(0.5, {}, 40), 40)->shares(), "none");
    EXPECT_EQ(bounces(bouncing(0.5, {0.9, 0.8, 0.7, 0.6, 0.5, 0.4}, 40), 40)->shares(), "90, 80, 70, 60, ..., 40 %");
}

TEST(Bounces, AreNotWhereNothingFallsOnAnything)
{
    const StatsTable table = bouncing(0.5, {0.9}, 40);
    EXPECT_FALSE(bounces(table, 0)) << "no gravity";
    StatsTable alone = table;
    for (double& contacts : alone.columns[2]) contacts = std::nan("");
    EXPECT_FALSE(bounces(alone, 40)) << "no contact in the scene";
    StatsTable lying = table;
    for (double& contacts : lying.columns[2]) contacts = 1;
    EXPECT_FALSE(bounces(lying, 40)) << "it touches from the start";
    StatsTable cut = table;
    for (auto& column : cut.columns) column.resize(500); // on its way up
    ASSERT_TRUE(bounces(cut, 40));
    EXPECT_TRUE(bounces(cut, 40)->tops.empty());
}

TEST(TellingMoments, AreTheStartTheFirstContactAndTheTopsOfBounces)
{
    const auto times = [](const std::vector<TellingMoment>& moments) {
        std::vector<double> all;
        for (const TellingMoment& moment : moments) all.push_back(moment.time);
        return all;
    };
    Bounces three{.contact_time = 0.3, .drop = 0.5, .tops = {{0.6, 0.4}, {1.2, 0.3}, {1.6, 0.2}}};
    const auto six = telling_moments(three, 3, 6);
    EXPECT_EQ(times(six), (std::vector<double>{0, 0.3, 0.6, 1.2, 1.6, 3}));
    EXPECT_EQ(six[1].words, "first contact");
    EXPECT_EQ(six[3].words, "bounce 2");
    EXPECT_EQ(times(telling_moments(three, 3, 4)), (std::vector<double>{0, 0.3, 0.6, 1.6}));
    EXPECT_EQ(times(telling_moments({}, 3, 5)), (std::vector<double>{0, 0.75, 1.5, 2.25, 3})) << "evenly";
    EXPECT_EQ(telling_moments({}, 0, 5).size(), 1u) << "a run without a step";
}

TEST(RunFigures, PercentIsNeverMinusZero)
{
    EXPECT_EQ(percent(-0.0001, 1), "0.0 %");
    EXPECT_EQ(percent(-0.0, 0), "0 %");
    EXPECT_EQ(percent(-0.004, 1), "-0.4 %");
    EXPECT_EQ(percent(0.9996, 1), "100.0 %");
}

TEST(RunFigures, SayFromWhereEnergyCounts)
{
    RunFigures run;
    EXPECT_EQ(run.counted_from(), "");
    run.weight = 40;
    run.gravity_zero = "[0, 1, 0]";
    EXPECT_EQ(run.counted_from(), "the energy of gravity counts from [0, 1, 0] m");
    run.ground = 0;
    EXPECT_EQ(run.counted_from(), "energy counts from the ground level of the scene, 0 J");
}

} // namespace rubato
