#include "base/errors.hpp"
#include "fixture.hpp"
#include "record/stats.hpp"
#include "record/stats_table.hpp"

#include <limits>
#include <random>

namespace rubato::test {

TEST(StatsWriter, WritesTheColumnsOfTheDesignInTheirOrder)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv");
    stats.begin();
    Moment moment;
    moment.wall = 0.75;
    stats.step(moment.record(7, 0.7, 0.1));
    stats.close();
    EXPECT_EQ(contents(folder / "stats.csv"),
        "step,time,h,kinetic,elastic,gravity,contact,other,total,target,alpha,dissipated,injected,newton,linear,"
        "contacts,min_distance,px,py,pz,lx,ly,lz,residual,wall\n"
        "7,0.7,0.1,4,0.3333333333333333,2.5,,0.1,6.933333333333334,,,0.25,0.5,4,17,,,1,2,3,4,5,6,1e-05,0.75\n");
}

TEST(StatsWriter, LeavesCellsOfTheStartEmptyThatNeedAStep)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv");
    stats.begin();
    Moment moment;
    stats.step(moment.record(0, 0, 0.1));
    stats.close();
    const StatsTable table = stats_table(folder / "stats.csv");
    for (const char* name : {"h", "newton", "linear", "residual"})
        EXPECT_TRUE(std::isnan(table.column(name)[0])) << name;
    EXPECT_EQ(table.column("kinetic")[0], 4);
}

TEST(StatsWriter, ShowsNoNewtonIterationsOfMethodsWithoutASolve)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv");
    stats.begin();
    Moment moment;
    moment.outcome.solve = {};
    stats.step(moment.record(1, 0.1, 0.1));
    stats.close();
    const StatsTable table = stats_table(folder / "stats.csv");
    EXPECT_EQ(table.column("h")[0], 0.1);
    for (const char* name : {"newton", "linear", "residual"}) EXPECT_TRUE(std::isnan(table.column(name)[0])) << name;
}

TEST(StatsWriter, FillsContactAndAlphaWhereTheyApply)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv", true);
    stats.begin();
    Moment moment;
    moment.potential.contact = 0.5;
    moment.outcome.alpha = 0.25;
    stats.step(moment.record(1, 0.1, 0.1));
    stats.close();
    const StatsTable table = stats_table(folder / "stats.csv");
    EXPECT_EQ(table.column("contact")[0], 0.5);
    EXPECT_EQ(table.column("alpha")[0], 0.25);
}

TEST(StatsWriter, FillsTheTargetFromTheStartOnForMethodsThatAimAtOne)
{
    Folder folder;
    Moment moment;
    const auto written = [&](bool has_target) {
        StatsWriter stats(folder / "stats.csv", false, has_target);
        stats.begin();
        for (int i = 0; i < 3; ++i) {
            moment.ledger.target = 8.5 - i;
            stats.step(moment.record(i, 0.1 * i, 0.1));
        }
        stats.close();
        return stats_table(folder / "stats.csv").column("target");
    };
    EXPECT_EQ(written(true), (std::vector<double>{8.5, 7.5, 6.5}));
    for (const double cell : written(false)) EXPECT_TRUE(std::isnan(cell));
}

TEST(StatsWriter, NeverWritesNumbersThatAreNotFinite)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv");
    stats.begin();
    Moment moment;
    moment.kinetic = std::numeric_limits<double>::infinity();
    moment.potential.gravity = std::numeric_limits<double>::quiet_NaN();
    stats.step(moment.record(1, 0.1, 0.1));
    stats.close();
    const auto row = rows(folder / "stats.csv").at(0);
    EXPECT_EQ(row.at(3), "");
    EXPECT_EQ(row.at(5), "");
    EXPECT_EQ(row.at(8), "") << "total";
    EXPECT_EQ(row.at(7), "0.1");
}

TEST(StatsWriter, NumbersReadBackToTheSameBits)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv");
    stats.begin();
    Moment moment;
    std::mt19937_64 random(5);
    std::vector<double> written = {5e-324, 1.7976931348623157e308, -0.1, 1e22, 123456789012345680.0};
    while (written.size() < 2000) {
        const double value = std::bit_cast<double>(random());
        if (std::isfinite(value)) written.push_back(value);
    }
    for (std::size_t i = 0; i < written.size(); ++i) {
        moment.kinetic = written[i];
        stats.step(moment.record(static_cast<long>(i), 0.1, 0.1));
    }
    stats.close();
    EXPECT_EQ(stats_table(folder / "stats.csv").column("kinetic"), written);
}

TEST(StatsWriter, RowsOfTheLongestNumbersFitTheBuffer)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv", true);
    stats.begin();
    Moment moment;
    const double longest = -2.2250738585072014e-308;
    moment.kinetic = moment.wall = moment.outcome.alpha = moment.outcome.solve.residual = longest;
    moment.potential = {longest, longest, longest, longest};
    moment.ledger = {longest, longest, longest, longest};
    moment.outcome.solve.iterations = moment.outcome.solve.linear_iterations = std::numeric_limits<int>::min();
    const Vec3 vector = Vec3::Constant(longest);
    moment.state.t = longest;
    const long most = std::numeric_limits<long>::min();
    const StepRecord record{
        .step = most,
        .h = longest,
        .state = moment.state,
        .potential = moment.potential,
        .kinetic = longest,
        .linear_momentum = vector,
        .angular_momentum = vector,
        .touching = {.contacts = most, .candidates = most, .min_distance = longest},
        .ledger = moment.ledger,
        .outcome = moment.outcome,
        .wall = longest,
    };
    stats.step(record);
    stats.close();
    EXPECT_EQ(rows(folder / "stats.csv").at(0).size(), 25u);
    EXPECT_EQ(stats_table(folder / "stats.csv").column("lz")[0], longest);
}

TEST(StatsWriter, FlushesEverySecondOfWallClockTime)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv");
    stats.begin();
    Moment moment;
    moment.wall = 0.5;
    stats.step(moment.record(1, 0.1, 0.1));
    EXPECT_EQ(std::filesystem::file_size(folder / "stats.csv"), 0u);
    moment.wall = 1.01;
    stats.step(moment.record(2, 0.2, 0.1));
    EXPECT_EQ(std::filesystem::file_size(folder / "stats.csv"), stats.bytes());
    EXPECT_EQ(rows(folder / "stats.csv").size(), 2u);
}

TEST(StatsWriter, AResumedFileGoesOnWhereTheCheckpointWas)
{
    Folder folder;
    Moment moment;
    const auto row = [&](StatsWriter& stats, int i) { stats.step(moment.record(i, 0.1 * i, 0.1)); };

    StatsWriter whole(folder / "whole.csv");
    whole.begin();
    for (int i = 0; i <= 9; ++i) row(whole, i);
    whole.close();

    std::vector<std::uint8_t> checkpoint;
    {
        StatsWriter killed(folder / "stats.csv");
        killed.begin();
        for (int i = 0; i <= 4; ++i) row(killed, i);
        Archive archive;
        killed.serialize(archive);
        checkpoint = archive.bytes();
        EXPECT_EQ(std::filesystem::file_size(folder / "stats.csv"), killed.bytes())
            << "a checkpoint counts on its rows";
        for (int i = 5; i <= 7; ++i) row(killed, i);
    }
    put(folder / "stats.csv", contents(folder / "stats.csv") + "8,0.8,0."); // half a row

    StatsWriter resumed(folder / "stats.csv");
    Archive archive(checkpoint);
    const std::string before = contents(folder / "stats.csv");
    resumed.serialize(archive);
    EXPECT_EQ(contents(folder / "stats.csv"), before) << "whoever looks touches nothing";
    resumed.reopen();
    for (int i = 5; i <= 9; ++i) row(resumed, i);
    resumed.close();
    EXPECT_EQ(contents(folder / "stats.csv"), contents(folder / "whole.csv"));
}

TEST(StatsWriter, RefusesToGoOnWithAShorterOrMissingFile)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv");
    stats.begin();
    Archive saved;
    stats.serialize(saved);
    stats.close();

    put(folder / "stats.csv", "step,");
    Archive once(saved.bytes());
    EXPECT_THROW(StatsWriter(folder / "stats.csv").serialize(once), InputError);
    EXPECT_EQ(contents(folder / "stats.csv"), "step,") << "what is there is not touched";
    std::string damaged(stats_header);
    damaged[5] = 'T'; // as long as it was
    put(folder / "stats.csv", damaged + "\n");
    Archive meanwhile(saved.bytes());
    EXPECT_THROW(StatsWriter(folder / "stats.csv").serialize(meanwhile), InputError);
    std::filesystem::remove(folder / "stats.csv");
    Archive again(saved.bytes());
    EXPECT_THROW(StatsWriter(folder / "stats.csv").serialize(again), InputError);
}

TEST(StatsWriter, AFullDiskIsAWriteErrorThatNamesTheFile)
{
    StatsWriter stats("/dev/full");
    stats.begin();
    Moment moment;
    stats.step(moment.record(0, 0, 0.1));
    try {
        stats.close();
        FAIL() << "no error";
    } catch (const WriteError& error) {
        EXPECT_EQ(error.path(), "/dev/full");
    }
}

TEST(StatsWriter, AFolderThatCannotBeIsAWriteError)
{
    Folder folder;
    put(folder / "file", "keep me");
    StatsWriter stats(folder / "file/stats.csv");
    EXPECT_THROW(stats.begin(), WriteError);
    EXPECT_EQ(contents(folder / "file"), "keep me");
}

TEST(StatsTable, IgnoresTheHalfRowOfAKilledRun)
{
    Folder folder;
    put(folder / "stats.csv", "step,time\n0,0\n1,0.5\n2,0.");
    const StatsTable table = stats_table(folder / "stats.csv");
    EXPECT_EQ(table.column("time"), (std::vector<double>{0, 0.5}));
    EXPECT_THROW(table.column("energy"), InputError);
}

TEST(StatsTable, NamesTheLineThatIsNotNumbers)
{
    Folder folder;
    for (const char* text : {"step,time\n0,0\n1,x\n", "step,time\n0,0\n1\n", "step,time\n0,0\n1,2,3\n"}) {
        put(folder / "stats.csv", text);
        try {
            stats_table(folder / "stats.csv");
            FAIL() << text;
        } catch (const InputError& error) {
            EXPECT_EQ(error.mistakes().at(0).line, 3) << text;
        }
    }
    put(folder / "stats.csv", "");
    EXPECT_THROW(stats_table(folder / "stats.csv"), InputError);
    EXPECT_THROW(stats_table(folder / "none.csv"), InputError);
}

} // namespace rubato::test
