#include "lab/equal_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato {

TEST(EqualTimeTest, FindsTheStepForAnyPowerOfTheTime)
{
    for (const double power : {0.5, 0.8, 1.0, 1.3}) {
        for (const double times_longer : {0.2, 1.05, 3.0, 12.0}) {
            const auto seconds = [&](double h) { return 2 * std::pow(0.01 / h, power); };
            EqualTimeSearch search(2 * times_longer, {0.01, seconds(0.01)});
            int trials = 0;
            while (const auto h = search.next()) {
                search.add({*h, seconds(*h)});
                ++trials;
            }
            EXPECT_TRUE(search.near()) << power << ' ' << times_longer;
            EXPECT_LE(trials, 3) << power << ' ' << times_longer;
            EXPECT_NEAR(search.best().seconds, 2 * times_longer, 0.1 * 2 * times_longer);
        }
    }
}

TEST(EqualTimeTest, TimesThatDoNotDependOnTheStepEndTheSearch)
{
    EqualTimeSearch search(10, {0.01, 1});
    int trials = 0;
    while (const auto h = search.next()) {
        ASSERT_GT(*h, 0);
        search.add({*h, 1});
        ++trials;
    }
    EXPECT_EQ(trials, 4);
    EXPECT_FALSE(search.near());
}

TEST(EqualTimeTest, ARunThatTakesAsLongNeedsNoOther) { EXPECT_FALSE(EqualTimeSearch(10, {0.01, 9.5}).next()); }

} // namespace rubato
