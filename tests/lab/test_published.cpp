#include "base/parallel.hpp"
#include "lab/bar.hpp"
#include "lab/published_entries.hpp"
#include "lab/run.hpp"
#include "lab/two_springs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace rubato {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

/// Every row whose bound does not hold, by name.
std::string failing(const Reproduced& result)
{
    std::string names;
    for (const PublishedRow& row : result.rows) {
        if (!row.holds()) names += row.what + ": " + std::to_string(row.ours) + "\n";
    }
    return names;
}

/// How many rows ask for something: a reproduction that only reports proves nothing.
long asked(const Reproduced& result)
{
    return std::count_if(
        result.rows.begin(), result.rows.end(), [](const PublishedRow& row) { return row.bound != Bound::none; });
}

void expect_drawable(const Reproduced& result)
{
    EXPECT_FALSE(result.figures.empty());
    for (const PublishedFigure& figure : result.figures) {
        EXPECT_FALSE(figure.curves.empty()) << figure.title;
        for (const Curve& curve : figure.curves) {
            EXPECT_EQ(curve.x.size(), curve.y.size()) << figure.title << ": " << curve.name;
            EXPECT_TRUE(std::is_sorted(curve.x.begin(), curve.x.end())) << figure.title << ": " << curve.name;
            EXPECT_TRUE(!figure.log_x || curve.x.empty() || curve.x.front() > 0) << figure.title;
        }
    }
    for (const DataTable& table : result.tables) {
        for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
    }
}

TEST(PublishedRow, HoldsWhenItsBoundDoes)
{
    const auto row = [](double ours, Bound bound, double limit) {
        return PublishedRow{.what = "", .ours = ours, .published = 2.0, .bound = bound, .limit = limit};
    };
    EXPECT_TRUE(row(2.25, Bound::within, 0.25).holds());
    EXPECT_FALSE(row(2.26, Bound::within, 0.25).holds());
    EXPECT_FALSE(row(1.74, Bound::within, 0.25).holds());
    EXPECT_TRUE(row(5, Bound::at_least, 5).holds());
    EXPECT_FALSE(row(4.9, Bound::at_least, 5).holds());
    EXPECT_TRUE(row(5, Bound::at_most, 5).holds());
    EXPECT_FALSE(row(5.1, Bound::at_most, 5).holds());
    EXPECT_TRUE(row(99, Bound::none, 0).holds());
}

TEST(PublishedRow, OfARunThatCouldNotBeFinishedHoldsNothing)
{
    for (const Bound bound : {Bound::within, Bound::at_least, Bound::at_most}) {
        const PublishedRow row{.what = "", .ours = nan, .published = 1.0, .bound = bound, .limit = 1e9};
        EXPECT_FALSE(row.holds());
        EXPECT_FALSE((Reproduced{.rows = {{}, row}}.holds()));
    }
}

TEST(ReproductionCatalog, NamesEachEntryOnceAndSaysWhereItComesFrom)
{
    std::set<std::string> names;
    for (const ReproductionEntry& entry : reproduction_catalog()) {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
        EXPECT_FALSE(entry.summary.empty());
        EXPECT_NE(entry.source.find(": "), std::string::npos) << entry.name; // authors: title, place
        EXPECT_NE(entry.name, "all");
        EXPECT_NE(entry.name, "list");
    }
    for (const char* name : {"table-2", "appendix-c", "appendix-d", "appendix-e", "spring-001", "two-springs-001"}) {
        EXPECT_EQ(names.count(name), 1) << name;
    }
}

TEST(AppendixC, MeasuredDeterminantsAndTracesAreTheClosedForms)
{
    const Reproduced result = appendix_c();
    EXPECT_EQ(failing(result), "");
    EXPECT_GE(asked(result), 20);
    expect_drawable(result);
}

TEST(AppendixD, DecoupledSdirk2LeavesTheStableRangeWhereThePaperSays)
{
    const Reproduced result = appendix_d();
    EXPECT_EQ(failing(result), "");
    EXPECT_EQ(asked(result), 4);
    EXPECT_NEAR(result.rows[0].ours, -2.1634, 0.0005);
    EXPECT_NEAR(result.rows[1].ours, 44.3, 0.5);
    EXPECT_NEAR(result.rows[2].ours, -1.914214, 1e-6);
    expect_drawable(result);
}

TEST(AppendixE, OnlyA1AndASearchLeaveTheWallAtTheSpeedTheyCameWith)
{
    const Reproduced result = appendix_e(400);
    EXPECT_EQ(failing(result), "");
    EXPECT_GE(asked(result), 25);
    expect_drawable(result);
}

TEST(Spring001, MidpointBlowsUpAndBlendingDoesNot)
{
    const Reproduced result = spring_001();
    EXPECT_EQ(failing(result), "");
    EXPECT_EQ(asked(result), 3);
    expect_drawable(result);
}

TEST(DecoupledOrderTwo, NoChainThatDampsIsStableAndThoseThatDoNotAreFastAtAWall)
{
    const Reproduced result = decoupled_order_two(4);
    EXPECT_EQ(failing(result), "");
    EXPECT_EQ(asked(result), 13);
    EXPECT_GT(result.rows.back().ours, 2);
}

TEST(TwoSprings001, BackwardEulerStaysBelowTheBoundAlthoughItRaisesTheEnergy)
{
    EXPECT_NEAR(two_springs_beta(), 2.2095, 0.0005);
    const Reproduced result = two_springs_001(100);
    EXPECT_EQ(failing(result), "");
    EXPECT_EQ(asked(result), 6);
    expect_drawable(result);
}

TEST(Table2, IsReproducedAtTheTwoCoarseSteps)
{
    const Reproduced result = table_2(2);
    EXPECT_EQ(failing(result), "");
    EXPECT_EQ(asked(result), 17); // of 18 undamped entries; stiff A-search at 1/300 s is reported only
    EXPECT_EQ(result.rows.size(), 30);
    expect_drawable(result);
}

TEST(Table2, DoesNotDependOnTheNumberOfThreads)
{
    set_thread_count(1);
    const Reproduced alone = table_2(1);
    set_thread_count(4);
    const Reproduced together = table_2(1);
    set_thread_count(0);
    ASSERT_EQ(alone.rows.size(), together.rows.size());
    for (std::size_t k = 0; k < alone.rows.size(); ++k) {
        EXPECT_EQ(alone.rows[k].ours, together.rows[k].ours) << alone.rows[k].what;
    }
}

/// A single mode, with displacement and velocity, has its energy in its own place and nowhere else.
TEST(ModalEnergies, AreThoseOfTheModesPutIn)
{
    const BarOptions bar{.wave_speed = 10};
    LabProblem p = bar_problem(bar);
    const double a = 1e-6, b = 2e-5;
    State s = p.start;
    for (Index i = 0; i <= 30; ++i) {
        s.x[3 * i] += a * std::cos(M_PI * 7 * i / 30);
        s.v[3 * i] += b * std::cos(M_PI * 12 * i / 30);
    }
    const std::vector<double> energies = modal_energies(bar, s);
    ASSERT_EQ(energies.size(), 31);
    EXPECT_NEAR(energies[0], 5, 1e-12);
    EXPECT_NEAR(energies[7] / p.dynamics->potential_energy(0, s.x).total(), 1, 1e-4);
    EXPECT_NEAR(energies[12] / (p.dynamics->kinetic_energy(s.v) - 5), 1, 1e-5);
    for (std::size_t j = 1; j <= 30; ++j) {
        EXPECT_TRUE(j == 7 || j == 12 || energies[j] < 1e-20) << j;
    }
}

} // namespace
} // namespace rubato
