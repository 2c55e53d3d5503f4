#include "figures/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace rubato;

TEST(BenchmarkStatistics, MedianIsTheMiddleOrTheMeanOfTheTwoInIt)
{
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
    EXPECT_TRUE(std::isnan(median({})));
}

TEST(BenchmarkStatistics, OneSlowRepetitionChangesNeitherMedianNorSpreadMuch)
{
    const std::vector<double> calm{10.0, 10.1, 9.9, 10.2, 9.8}, disturbed{10.0, 10.1, 9.9, 10.2, 98};
    EXPECT_NEAR(median(disturbed), median(calm), 0.11);
    EXPECT_NEAR(spread(disturbed), spread(calm), 0.01);
    EXPECT_EQ(spread({7}), 0);
}

TEST(BenchmarkStatistics, RankTestHasTheProbabilitiesOfTheTables)
{
    // Complete separation: 2 / C(m + n, m).
    EXPECT_NEAR(rank_test({1, 2, 3}, {4, 5, 6}), 2.0 / 20, 1e-12);
    EXPECT_NEAR(rank_test({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}), 2.0 / 252, 1e-12);
    EXPECT_NEAR(rank_test({6, 7, 8, 9, 10}, {1, 2, 3, 4, 5}), 2.0 / 252, 1e-12);
    // One pair out of order: U = 1, of which there is one order more.
    EXPECT_NEAR(rank_test({1, 2, 3, 4, 6}, {5, 7, 8, 9, 10}), 4.0 / 252, 1e-12);
    EXPECT_EQ(rank_test({1, 2, 3}, {1, 2, 3}), 1);
    EXPECT_EQ(rank_test({}, {1}), 1);
}

TEST(BenchmarkStatistics, ExponentOfAPowerLawIsFound)
{
    std::vector<double> x, y, bumpy;
    for (int i = 0; i < 6; ++i) {
        x.push_back(5000 * std::pow(2.5, i));
        y.push_back(3e-6 * std::pow(x.back(), 1.37));
        bumpy.push_back(y.back() * (i % 2 == 0 ? 1.05 : 0.95));
    }
    EXPECT_NEAR(power_law_exponent(x, y), 1.37, 1e-12);
    EXPECT_NEAR(power_law_exponent(x, bumpy), 1.37, 0.03);
    EXPECT_TRUE(std::isnan(power_law_exponent({5}, {1})));
    EXPECT_TRUE(std::isnan(power_law_exponent({5, 6}, {1, 0})));
}
