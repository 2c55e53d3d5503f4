#include "figures/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace rubato;

namespace {

/// Repetitions of a time of `seconds` with some relative noise; now and then one is disturbed and twice as long.
Figure timed(std::mt19937_64& random, double seconds, double noise, int repetitions, int number = 0)
{
    Figure out{.table = "t", .row = std::to_string(number), .column = "time", .unit = "s"};
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (int i = 0; i < repetitions; ++i)
        out.samples.push_back(seconds * std::exp(noise * normal(random)) * (uniform(random) < 0.05 ? 2 : 1));
    return out;
}

Verdict verdict(const Figure& before, const Figure& after)
{
    return compared({{}, {before}}, {{}, {after}}).at(0).verdict;
}

} // namespace

TEST(BenchmarkComparison, NoiseIsRarelyTakenForAChange)
{
    std::mt19937_64 random(1);
    for (const int repetitions : {3, 5, 9}) {
        FigureSet before, after;
        for (int i = 0; i < 1000; ++i) {
            before.figures.push_back(timed(random, 1e-3, 0.05, repetitions, i));
            after.figures.push_back(timed(random, 1e-3, 0.05, repetitions, i));
        }
        long changed = 0;
        for (const Change& change : compared(before, after)) changed += change.verdict != Verdict::same ? 1 : 0;
        EXPECT_LE(changed, 25) << repetitions << " repetitions";
    }
}

TEST(BenchmarkComparison, ClearChangesAreMostlySeen)
{
    std::mt19937_64 random(2);
    for (const double factor : {0.75, 1.3}) {
        int seen = 0;
        for (int i = 0; i < 200; ++i) {
            const Verdict v = verdict(timed(random, 2, 0.02, 5), timed(random, 2 * factor, 0.02, 5));
            EXPECT_NE(v, factor > 1 ? Verdict::better : Verdict::worse);
            seen += v != Verdict::same ? 1 : 0;
        }
        EXPECT_GE(seen, 120) << factor;
    }
}

TEST(BenchmarkComparison, AChangeBelowTheLeastThatCountsIsNone)
{
    const Figure before{.table = "t", .row = "r", .column = "c", .samples = {1, 1.0001, 0.9999, 1, 1}};
    Figure after = before;
    for (double& sample : after.samples) sample *= 1.04;
    EXPECT_EQ(verdict(before, after), Verdict::same);
    for (double& sample : after.samples) sample *= 1.04;
    EXPECT_EQ(verdict(before, after), Verdict::worse);
}

TEST(BenchmarkComparison, OneRepetitionHasToChangeByMore)
{
    const Figure before{.table = "t", .row = "r", .column = "c", .samples = {1}};
    Figure after = before;
    after.samples = {1.2};
    EXPECT_EQ(verdict(before, after), Verdict::same);
    after.samples = {1.3};
    EXPECT_EQ(verdict(before, after), Verdict::worse);
}

TEST(BenchmarkComparison, HigherRatesAreBetterAndHigherTimesWorse)
{
    Figure before{.table = "t", .row = "r", .column = "c", .samples = {1, 1.01, 0.99}};
    Figure after = before;
    for (double& sample : after.samples) sample *= 2;
    EXPECT_EQ(verdict(before, after), Verdict::worse);
    EXPECT_EQ(verdict(after, before), Verdict::better);
    before.better = after.better = Better::higher;
    EXPECT_EQ(verdict(before, after), Verdict::better);
    EXPECT_EQ(verdict(after, before), Verdict::worse);
}

TEST(BenchmarkComparison, CountsAndFactsDifferOrDoNot)
{
    const Figure count{.table = "t", .row = "r", .column = "c", .better = Better::neither, .samples = {100}};
    Figure one_more = count;
    one_more.samples = {101};
    EXPECT_EQ(verdict(count, count), Verdict::same);
    EXPECT_EQ(verdict(count, one_more), Verdict::differs);
    const Figure yes{.table = "t", .row = "r", .column = "c", .better = Better::neither, .text = "yes"};
    Figure no = yes;
    no.text = "no";
    EXPECT_EQ(verdict(yes, yes), Verdict::same);
    EXPECT_EQ(verdict(yes, no), Verdict::differs);
}

TEST(BenchmarkComparison, WhatOnlyOneFileHasIsCountedAndNotJudged)
{
    const Figure a{.table = "t", .row = "a", .column = "c", .samples = {1}};
    const Figure b{.table = "t", .row = "b", .column = "c", .samples = {1}};
    const std::vector<Change> changes = compared({{}, {a}}, {{}, {b}});
    ASSERT_EQ(changes.size(), 2u);
    EXPECT_EQ(changes[0].verdict, Verdict::only_before);
    EXPECT_EQ(changes[1].verdict, Verdict::only_after);
    EXPECT_FALSE(anything_worse(changes));
    EXPECT_NE(told(changes).find("1 are only in the first file"), std::string::npos) << told(changes);
}

TEST(BenchmarkComparison, OnlyChangesAreTold)
{
    const Figure quick{.table = "t", .row = "quick", .column = "c", .samples = {1, 1, 1}};
    const Figure slow{.table = "t", .row = "slow", .column = "c", .unit = "s", .samples = {1, 1, 1}};
    Figure slower = slow;
    slower.samples = {1.5, 1.5, 1.5};
    const std::vector<Change> changes = compared({{}, {quick, slow}}, {{}, {quick, slower}});
    EXPECT_TRUE(anything_worse(changes));
    EXPECT_EQ(
        told(changes), "WORSE    x1.500  t | slow | c: 1 s -> 1.5 s\n1 of 2 figures are the same within their noise\n");
}
