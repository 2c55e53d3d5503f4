#include "lab/decoupled_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

/// docs/derivations/decoupled_second_order.md: what it claims, in numbers.
namespace rubato {
namespace {

SubstepChain sdirk2()
{
    const double gamma = 1 - 1 / std::sqrt(2.0);
    return {{1 - gamma, gamma}, {gamma, gamma}};
}

/// R(ih) and R*(ih) of 000 App. C, from the factors of the substeps.
std::complex<double> stability_function(const SubstepChain& c, double h, bool adjoint)
{
    const std::complex<double> z(0, h);
    std::complex<double> R = 1;
    for (std::size_t i = 0; i < c.b.size(); ++i) {
        const double e = c.b[i] - c.g[i], g = c.g[i];
        R *= (1.0 + (adjoint ? g : e) * z) / (1.0 - (adjoint ? e : g) * z);
    }
    return R;
}

TEST(SubstepChain, HasTheTraceOfTheStabilityFunctions)
{
    for (const double h : {0.1, 1.0, 6.65, 40.0, 1e4}) {
        const double expected = (stability_function(sdirk2(), h, false) + stability_function(sdirk2(), h, true)).real();
        EXPECT_NEAR(decoupled_trace(sdirk2(), h), expected, 1e-11);
    }
}

TEST(SubstepChain, OfSdirk2IsItsTableau)
{
    const double gamma = 1 - 1 / std::sqrt(2.0);
    EXPECT_EQ(sdirk2().A(), (std::vector<std::vector<double>>{{gamma, 0}, {1 - gamma, gamma}}));
    EXPECT_NEAR(sdirk2().order_defect(), 0, 1e-15);
}

TEST(SubstepChain, ExcessOfSdirk2IsThePublishedOne)
{
    EXPECT_NEAR(worst_excess(sdirk2()), 0.1634, 5e-4);
    EXPECT_NEAR(decoupled_trace(sdirk2(), 1e8), -std::sqrt(2.0) - 0.5, 1e-6);
}

TEST(SubstepChain, ImplicitEulerIsStablySymplecticAndOfFirstOrder)
{
    const SubstepChain euler{{1}, {1}};
    EXPECT_LE(worst_excess(euler), 0);
    EXPECT_GT(euler.order_defect(), 0.9);
}

TEST(SubstepChain, WithoutDampingIsStablySymplectic)
{
    const SubstepChain chain{{0.2, 0.5, 0.3}, {0, 0.2, 0.3}};
    EXPECT_NEAR(chain.order_defect(), 0, 1e-15);
    EXPECT_NEAR(modulus(chain, 17), 1, 1e-14);
    EXPECT_LE(worst_excess(chain), 1e-12);
}

TEST(ChainSearch, FindsNoDampedChainThatIsStablySymplectic)
{
    for (const int stages : {2, 3, 4}) {
        const ChainSearch found = search_chains(stages, 0.9, 4, 1);
        ASSERT_FALSE(found.best.b.empty());
        EXPECT_LE(modulus(found.best, damping_step), 0.9);
        EXPECT_NEAR(found.best.order_defect(), 0, 1e-12);
        EXPECT_GT(found.excess, 1e-3) << stages;
        EXPECT_GT(found.tried, 1000);
    }
}

TEST(ChainSearch, WithoutDampingFindsTheExceptions)
{
    const ChainSearch found = search_chains(3, 1, 4, 1);
    EXPECT_LE(found.excess, 1e-6);
    EXPECT_NEAR(modulus(found.best, 3), 1, 1e-3);
}

} // namespace
} // namespace rubato
