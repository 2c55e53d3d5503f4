#include "solvers/nonlinear/line_search.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

/// A free particle: E(x) = m/2 |x - x_tilde|^2, whose minimum along p is known.
struct Particle {
    System system;
    IncrementalPotential E{system};
    Vector x = Vector::Zero(3), x_tilde = Vector::Zero(3);

    Particle()
    {
        system.mass = Mass(Vector::Constant(1, 2.0));
        x_tilde << 0.3, -0.1, 0.2;
        E.set_stage({.x_tilde = x_tilde, .x_anchor = x, .tau = 0.1, .scale = 0.01, .t = 0.1});
    }

    /// From x along a part of the Newton step, as a Hessian that is too stiff gives it.
    LineSearchAlong::Result along(double part, Vector& x_new)
    {
        const Vector p = part * (x_tilde - x);
        Vector g;
        const double f = E.value_and_gradient(x, g), slope = g.dot(p);
        LineSearchAlong search;
        const LineSearchAlong::Result full = search.backtracking(E, x, p, f, slope, 1, x_new);
        EXPECT_EQ(full.a, 1);
        return search.farther(E, x, p, f, slope, full, x_new);
    }
};

TEST(LineSearchFarther, LeavesARightStepAlone)
{
    Particle particle;
    Vector x_new;
    const LineSearchAlong::Result found = particle.along(1, x_new);
    EXPECT_EQ(found.a, 1);
    EXPECT_EQ(found.lowest, 1);
    EXPECT_LE((x_new - particle.x_tilde).norm(), 1e-15);
}

TEST(LineSearchFarther, GoesToTheLowestPlaceAlongAStepThatIsTooShort)
{
    Particle particle;
    Vector x_new;
    const LineSearchAlong::Result found = particle.along(1.0 / 3, x_new);
    EXPECT_NEAR(found.a, 3, 1e-12);
    EXPECT_NEAR(found.lowest, 3, 1e-12);
    EXPECT_NEAR(found.value, 0, 1e-15);
    EXPECT_LE((x_new - particle.x_tilde).norm(), 1e-13);
}

/// How far the minimum is must be known even where the search does not go that far: only then can it be said whether a
/// short step is the last one.
TEST(LineSearchFarther, KnowsHowFarTheLowestPlaceIsBeyondItsReach)
{
    Particle particle;
    Vector x_new;
    const LineSearchAlong::Result found = particle.along(1.0 / 50, x_new);
    EXPECT_EQ(found.a, 8);
    EXPECT_NEAR(found.lowest, 50, 1e-9);
    EXPECT_LE((x_new - 8.0 / 50 * particle.x_tilde).norm(), 1e-15);
}

} // namespace
} // namespace rubato
