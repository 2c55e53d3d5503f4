#include "math/log1p.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace rubato {
namespace {

TEST(XMinusLog1p, IsAccurateRelativeToItself)
{
    for (const double magnitude : {1e-300, 1e-20, 1e-9, 1e-4, 1e-2, 0.1, 0.2, 0.2499, 0.2501, 0.5, 0.99}) {
        for (const double x : {magnitude, -magnitude}) {
            const long double y = x;
            // long double has 11 bits more than double: enough above 1e-3; below, the series
            const long double expected = magnitude > 1e-3
                ? y - std::log1p(y)
                : y * y * (1.0L / 2 - y * (1.0L / 3 - y * (1.0L / 4 - y * (1.0L / 5 - y * (1.0L / 6 - y / 7)))));
            EXPECT_NEAR(x_minus_log1p(x), static_cast<double>(expected), 2e-15 * static_cast<double>(expected)) << x;
        }
    }
    EXPECT_EQ(x_minus_log1p(0), 0);
    EXPECT_EQ(x_minus_log1p(-1), std::numeric_limits<double>::infinity());
    EXPECT_NEAR(x_minus_log1p(10), 10 - std::log(11.0), 1e-15);
}

TEST(StretchMinusLog, IsAccurateNearOneAndNearZero)
{
    for (const double s : {1e-300, 1e-20, 1e-8, 0.1, 0.7, 0.76, 0.999, 1.001, 1.24, 1.3, 20.0, 1e100}) {
        const long double expected = (static_cast<long double>(s) - 1) - std::log(static_cast<long double>(s));
        EXPECT_NEAR(stretch_minus_log(s) / static_cast<double>(expected), 1, 1e-13) << s;
    }
    EXPECT_NEAR(stretch_minus_log(1 + 0x1p-30) / 0x1p-61, 1, 1e-8);
    EXPECT_EQ(stretch_minus_log(1), 0);
    EXPECT_EQ(stretch_minus_log(0), std::numeric_limits<double>::infinity());
}

} // namespace
} // namespace rubato
