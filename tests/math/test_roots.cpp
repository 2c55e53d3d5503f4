#include "math/random_matrices.hpp"
#include "math/roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace rubato {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

/// scale (t - r0)(t - r1)(t - r2), multiplied out.
std::array<double, 4> from_roots(long double scale, long double r0, long double r1, long double r2)
{
    return {static_cast<double>(scale), static_cast<double>(-scale * (r0 + r1 + r2)),
        static_cast<double>(scale * (r0 * r1 + r1 * r2 + r2 * r0)), static_cast<double>(-scale * r0 * r1 * r2)};
}
/// scale (t - r)(t^2 + p t + q)
std::array<double, 4> with_one_root(long double scale, long double r, long double p, long double q)
{
    return {static_cast<double>(scale), static_cast<double>(scale * (p - r)), static_cast<double>(scale * (q - p * r)),
        static_cast<double>(-scale * q * r)};
}
double root(const std::array<double, 4>& f, double limit = 1)
{
    return smallest_positive_root(f[0], f[1], f[2], f[3], limit);
}

TEST(SmallestPositiveRoot, IsTheSmallestOfThreeConstructedRoots)
{
    RandomMatrices random(1);
    for (int i = 0; i < 5000; ++i) {
        std::array<double, 3> r{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
        std::sort(r.begin(), r.end());
        const double gap = std::min({r[1] - r[0], r[2] - r[1], std::abs(r[0]), std::abs(r[1]), std::abs(r[2])});
        if (gap < 1e-2) continue; // conditioning: the tolerance below is for well separated roots
        double expected = none;
        for (const double x : r)
            if (x > 0 && x <= 1) expected = std::min(expected, x);
        const double found = root(from_roots(random.normal() < 0 ? -3 : 7, r[0], r[1], r[2]));
        if (expected == none)
            EXPECT_EQ(found, none) << r[0] << ' ' << r[1] << ' ' << r[2];
        else
            EXPECT_NEAR(found, expected, 1e-11) << r[0] << ' ' << r[1] << ' ' << r[2];
    }
}

TEST(SmallestPositiveRoot, IsFoundBesideAComplexPair)
{
    RandomMatrices random(2);
    for (int i = 0; i < 2000; ++i) {
        const double r = random.uniform(-1.5, 1.5), p = random.uniform(-2, 2);
        if (std::abs(r) < 1e-3 || std::abs(r - 1) < 1e-9) continue;
        const double found = root(with_one_root(2, r, p, p * p / 4 + random.uniform(0.05, 2)));
        if (r > 0 && r <= 1)
            EXPECT_NEAR(found, r, 1e-12);
        else
            EXPECT_EQ(found, none);
    }
}

TEST(SmallestPositiveRoot, IsNeverPastTheSignChange)
{
    RandomMatrices random(3);
    int found_roots = 0;
    for (int i = 0; i < 5000; ++i) {
        const double a = random.normal(), b = random.normal(), c = random.normal(), d = std::abs(random.normal());
        const double t = smallest_positive_root(a, b, c, d, 1);
        if (t == none) continue;
        ++found_roots;
        const auto f = [&](long double s) { return ((a * s + b) * s + c) * s + d; };
        const long double uncertainty = 1e-15L * (std::abs(a) + std::abs(b) + std::abs(c) + d);
        for (int k = 0; k <= 50; ++k) EXPECT_GT(f(t * k / 50.0L), -uncertainty);
        EXPECT_LE(f(t), 1e-13L * (std::abs(a) + std::abs(b) + std::abs(c) + d));
    }
    EXPECT_GT(found_roots, 1000);
}

TEST(SmallestPositiveRoot, FindsDoubleRootsThatOnlyTouch)
{
    RandomMatrices random(4);
    for (int i = 0; i < 2000; ++i) {
        const double r = random.uniform(0.05, 0.95), other = random.uniform(1.1, 3) * (i % 2 == 0 ? 1 : -1);
        EXPECT_NEAR(root(from_roots(1, r, r, other)), r, 1e-7);
        EXPECT_NEAR(root(from_roots(-5, r, r, other)), r, 1e-7);
    }
    // exactly representable
    EXPECT_NEAR(root(from_roots(1, 0.5, 0.5, 2)), 0.5, 1e-15);
    EXPECT_NEAR(root(from_roots(1, 0.5, 0.5, -2)), 0.5, 1e-15);
    EXPECT_NEAR(smallest_positive_root(0, 1, -1, 0.25, 1), 0.5, 1e-15); // (t - 1/2)^2
}

TEST(SmallestPositiveRoot, FindsTripleRoots)
{
    EXPECT_NEAR(root(from_roots(-1, 0.5, 0.5, 0.5)), 0.5, 1e-5); // a perturbation by eps moves it by eps^(1/3)
    EXPECT_NEAR(root(from_roots(1, 0.3, 0.3, 0.3)), 0.3, 1e-5);
}

TEST(SmallestPositiveRoot, ReportsNoneForACurveThatMissesByLittle)
{
    // (t - 1/2)^2 + gap: complex roots close to the axis
    EXPECT_EQ(smallest_positive_root(0, 1, -1, 0.25 + 1e-12, 1), none);
    EXPECT_LE(smallest_positive_root(0, 1, -1, 0.25 - 1e-12, 1), 0.5 - 0.9e-6);
}

TEST(SmallestPositiveRoot, AcceptsVanishingLeadingCoefficients)
{
    EXPECT_NEAR(smallest_positive_root(0, 0, -4, 1, 1), 0.25, 1e-16);
    EXPECT_NEAR(smallest_positive_root(0, 0, 4, -1, 1), 0.25, 1e-16);
    EXPECT_NEAR(smallest_positive_root(0, 8, -6, 1, 1), 0.25, 1e-15); // (2t - 1)(4t - 1)
    EXPECT_EQ(smallest_positive_root(0, 0, 4, 1, 1), none);
    EXPECT_EQ(smallest_positive_root(0, 0, 0, 1, 1), none);
    EXPECT_EQ(smallest_positive_root(0, 0, 0, 0, 1), none);
    for (const double tiny : {1e-300, -1e-300, 1e-30, -1e-30, 1e-17, -1e-17}) {
        EXPECT_NEAR(smallest_positive_root(tiny, 8, -6, 1, 1), 0.25, 1e-15) << tiny;
        EXPECT_NEAR(smallest_positive_root(tiny, tiny, -4, 1, 1), 0.25, 1e-15) << tiny;
        EXPECT_EQ(smallest_positive_root(tiny, tiny, tiny, 1, 1), none) << tiny;
    }
}

TEST(SmallestPositiveRoot, DividesOutRootsAtZero)
{
    EXPECT_NEAR(root(from_roots(1, 0, 0.5, 0.75)), 0.5, 1e-15);
    EXPECT_NEAR(root(from_roots(1, 0, 0, 0.75)), 0.75, 1e-15);
    EXPECT_EQ(root(from_roots(1, 0, 0, 0)), none);
    EXPECT_EQ(root(from_roots(1, 0, -1, -2)), none);
}

TEST(SmallestPositiveRoot, IncludesTheLimitAndNothingBeyond)
{
    EXPECT_NEAR(root(from_roots(1, 1, 2, 3)), 1, 1e-14);
    EXPECT_NEAR(root(from_roots(1, 2, 3, 5), 2), 2, 1e-14);
    EXPECT_EQ(root(from_roots(1, 1 + 1e-10, 2, 3)), none);
    EXPECT_EQ(root(from_roots(1, 2, 3, 5), 1.999), none);
    EXPECT_NEAR(root(from_roots(1, 200, 300, 500), 1e6), 200, 1e-9);
    EXPECT_NEAR(root(from_roots(1, 2e-9, 3e-9, 5e-9), 1), 2e-9, 1e-16);
}

TEST(SmallestPositiveRoot, DoesNotDependOnTheScaleOfTheCoefficients)
{
    RandomMatrices random(5);
    for (int i = 0; i < 500; ++i) {
        const std::array<double, 4> f{random.normal(), random.normal(), random.normal(), random.normal()};
        const double expected = root(f);
        for (const double scale : {0x1p-900, 0x1p-300, -1.0, 0x1p300, 0x1p900})
            EXPECT_EQ(root({f[0] * scale, f[1] * scale, f[2] * scale, f[3] * scale}), expected);
    }
}

TEST(SmallestPositiveRoot, FindsTinyRoots)
{
    for (const double d : {1e-3, 1e-8, 1e-16, 1e-100, 1e-300}) {
        EXPECT_NEAR(smallest_positive_root(1, 1, -1, d, 1) / d, 1, 2 * d + 1e-14) << d;
        EXPECT_GT(smallest_positive_root(1, 1, -1, d, 1), 0);
    }
}

TEST(SmallestPositiveRoot, TerminatesForNan)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < 4; ++i) {
        std::array<double, 4> f{1, -2, -3, 1};
        f[static_cast<std::size_t>(i)] = nan;
        EXPECT_EQ(root(f), none);
    }
}

} // namespace
} // namespace rubato
