#include "base/random.hpp"

#include <gtest/gtest.h>

namespace rubato {

TEST(Random, IsSplitmix64)
{
    Random random(1234567); // the first values of the authors' program
    for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
             4593380528125082431u, 16408922859458223821u}) {
        EXPECT_EQ(random.bits(), expected);
    }
}

TEST(Random, UniformNumbersStayInTheirIntervalAndFillIt)
{
    Random random(0);
    double sum = 0, squares = 0, least = 1, most = 0;
    constexpr int count = 100000;
    for (int i = 0; i < count; ++i) {
        const double u = random.uniform();
        sum += u;
        squares += u * u;
        least = std::min(least, u);
        most = std::max(most, u);
    }
    EXPECT_GE(least, 0);
    EXPECT_LT(most, 1);
    EXPECT_LT(least, 1e-3);
    EXPECT_GT(most, 1 - 1e-3);
    EXPECT_NEAR(sum / count, 0.5, 5e-3); // five standard deviations
    EXPECT_NEAR(squares / count, 1.0 / 3, 5e-3);
    const double shifted = Random(5).uniform(-3, -1);
    EXPECT_EQ(shifted, -3 + 2 * Random(5).uniform());
}

} // namespace rubato
