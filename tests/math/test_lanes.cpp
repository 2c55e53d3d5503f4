#include "math/lanes.hpp"
#include "math/log1p.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace rubato {
namespace {

Lanes filled(const std::function<double(int)>& f)
{
    Lanes out(0);
    for (int l = 0; l < lane_count; ++l) out.at[l] = f(l);
    return out;
}

TEST(Lanes, LogarithmsAgreeWithTheLibraryToAFewRoundings)
{
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> exponent(-300, 300), near(-0.49, 0.99), tiny(-14, -0.5);
    for (int repeat = 0; repeat < 20000; ++repeat) {
        const Lanes x = filled([&](int) { return std::pow(10, exponent(random)); });
        const Lanes y
            = filled([&](int l) { return l < 4 ? near(random) : (l % 2 ? 1 : -1) * std::pow(10, tiny(random)); });
        const Lanes logs = log(x), logs1 = log1p_near(y), differences = x_minus_log1p(y);
        for (int l = 0; l < lane_count; ++l) {
            const double exact = std::log(x.at[l]);
            ASSERT_LE(std::abs(logs.at[l] - exact), 4e-16 * std::abs(exact)) << x.at[l];
            const auto one = static_cast<double>(log1pl(y.at[l]));
            ASSERT_LE(std::abs(logs1.at[l] - one), 8e-16 * std::abs(one)) << y.at[l];
            const double rest = x_minus_log1p(y.at[l]);
            ASSERT_LE(std::abs(differences.at[l] - rest), 1e-14 * std::abs(rest)) << y.at[l];
        }
    }
}

TEST(Lanes, SelectAbsCopysignAndBitsWorkLaneByLane)
{
    const Lanes a = filled([](int l) { return l - 3.5; }), b = filled([](int l) { return l % 2 ? -1.0 : 1.0; });
    EXPECT_EQ(bits_of(a < 0.0), 0x0fu);
    EXPECT_TRUE(any(a > 3.0));
    EXPECT_FALSE(any(a > 4.0));
    for (int l = 0; l < lane_count; ++l) {
        EXPECT_EQ(select(a < b, a, b).at[l], std::min(a.at[l], b.at[l]));
        EXPECT_EQ(abs(a).at[l], std::abs(a.at[l]));
        EXPECT_EQ(copysign(a, b).at[l], std::copysign(a.at[l], b.at[l]));
        EXPECT_EQ(sqrt(abs(a)).at[l], std::sqrt(std::abs(a.at[l])));
    }
}

} // namespace
} // namespace rubato
