#include "fixture.hpp"
#include "record/progress.hpp"

namespace rubato::test {

namespace {

/// Shows a run of 300 steps of 1/30 s on a clock that the test moves.
struct Show {
    double now = 100; ///< [s]
    std::vector<std::string> shown;
    Moment moment;
    Progress progress;

    explicit Show(bool terminal = true, double end_time = 10)
        : progress({
            .end_time = end_time,
            .terminal = terminal,
            .sink = [this](std::string_view text) { shown.emplace_back(text); },
            .clock = [this] { return now; },
        })
    {
        moment.potential = {};
        moment.kinetic = 1.2345;
    }
    void step(long i) { progress.step(moment.record(i, static_cast<double>(i) / 30, 1.0 / 30)); }
};

} // namespace

TEST(Progress, ShowsStepTimeRateRemainderEnergyAndIterations)
{
    Show show;
    show.step(0);
    show.now += 2;
    show.step(120);
    ASSERT_EQ(show.shown.size(), 2u);
    EXPECT_EQ(show.shown[0], "\rstep 0  t 0.00 s  E 1.23 J");
    EXPECT_EQ(show.shown[1], "\rstep 120/300  t 4.00 s  60 steps/s  3 s left  E 1.23 J  newton 4");
}

TEST(Progress, RedrawsAtMostTenTimesASecond)
{
    Show show;
    for (long i = 0; i <= 100; ++i, show.now += 0.01) show.step(i);
    EXPECT_GE(show.shown.size(), 9u);
    EXPECT_LE(show.shown.size(), 11u);
}

TEST(Progress, EndsWithTheLastStepAndALineEnd)
{
    Show show;
    show.step(0);
    show.now += 0.01;
    show.step(300); // too soon to be drawn
    EXPECT_EQ(show.shown.size(), 1u);
    show.progress.finish();
    ASSERT_EQ(show.shown.size(), 3u);
    EXPECT_EQ(show.shown[1].substr(0, 13), "\rstep 300/300");
    EXPECT_EQ(show.shown[2], "\n");
    show.progress.finish();
    EXPECT_EQ(show.shown.size(), 3u);
}

TEST(Progress, IsQuietWhenNobodyWatches)
{
    Show show(false);
    show.step(0);
    show.now += 2;
    show.step(120);
    show.progress.finish();
    EXPECT_TRUE(show.shown.empty());
}

TEST(Progress, CoversWhatALongerLineLeftBehind)
{
    Show show;
    show.moment.kinetic = -1.23e-12;
    show.step(1);
    const std::size_t width = show.shown.back().size();
    show.moment.kinetic = 1;
    show.moment.outcome.solve = {};
    show.now += 1;
    show.step(2);
    EXPECT_GE(show.shown.back().size(), width);
}

TEST(Progress, MeasuresTheRateOfAResumedRunFromItsResumption)
{
    Show show;
    show.step(201); // the first step after a resume
    show.now += 1;
    show.step(250);
    EXPECT_EQ(show.shown.back(), "\rstep 250/300  t 8.33 s  50 steps/s  1 s left  E 1.23 J  newton 4");
}

TEST(Progress, SurvivesNumbersOfAnySize)
{
    Show show(true, 1e308);
    show.moment.kinetic = std::numeric_limits<double>::infinity();
    show.progress.step(show.moment.record(std::numeric_limits<long>::max() - 5, 1e300, 1e-300));
    show.now += 1e300;
    show.progress.step(show.moment.record(std::numeric_limits<long>::max() - 4, 1.1e300, 1e-300));
    for (const std::string& line : show.shown) EXPECT_LE(line.size(), 256u);
    EXPECT_EQ(show.shown.size(), 2u);
}

} // namespace rubato::test
