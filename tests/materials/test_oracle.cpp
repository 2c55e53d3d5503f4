#include "materials/oracle.hpp"
#include "math/random_matrices.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

TEST(Jet, DifferentiatesCompositionsLikeTheirClosedForms)
{
    // phi = log(x y)/x + x^2 y at (2, 3): derivatives worked out by hand
    const Jet x = Jet::variable(2, 0), y = Jet::variable(3, 1);
    const Jet phi = log(x * y) / x + square(x) * y;
    const long double L = std::log(6.0L);
    EXPECT_NEAR(static_cast<double>(phi.v - (L / 2 + 12)), 0, 1e-17);
    EXPECT_NEAR(static_cast<double>(phi.g[0] - ((1 - L) / 4 + 12)), 0, 1e-17);
    EXPECT_NEAR(static_cast<double>(phi.g[1] - (1.0L / 6 + 4)), 0, 1e-17);
    EXPECT_NEAR(static_cast<double>(phi.h(0, 0) - ((2 * L - 3) / 8 + 6)), 0, 1e-17);
    EXPECT_NEAR(static_cast<double>(phi.h(0, 1) - (-1.0L / 12 + 4)), 0, 1e-17);
    EXPECT_NEAR(static_cast<double>(phi.h(1, 1) - (-1.0L / 18)), 0, 1e-17);
    EXPECT_EQ(phi.h(0, 1), phi.h(1, 0));
}

TEST(Oracle, SumOfSignedSingularValuesIsTheLargestRootOfItsQuartic)
{
    RandomMatrices random(1);
    for (int i = 0; i < 200; ++i) {
        const Vec3 sigma(random.uniform(1, 2), random.uniform(0.6, 1), random.uniform(-0.5, 0.6));
        const Mat3 F = random.with_singular_values(sigma);
        const Jet f = Invariants(F).I_S();
        EXPECT_NEAR(static_cast<double>(f.v), sigma.sum(), 1e-14);
        // its gradient is the rotation of the polar decomposition, which has unit singular values
        Mat3 R;
        for (int k = 0; k < 9; ++k) R.data()[k] = static_cast<double>(f.g[k]);
        EXPECT_LE((R.transpose() * R - Mat3::Identity()).norm(), 1e-14);
    }
}

} // namespace
} // namespace rubato
