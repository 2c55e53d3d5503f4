#include "lab/oscillator.hpp"
#include "lab/run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace rubato {
namespace {

TEST(Oscillator, MovesAlongXAlone)
{
    LabProblem p = oscillator_problem({.stiffness = 9, .mass = 2, .drag = 0.5});
    Vector a;
    p.dynamics->begin_step(p.start, 0.1);
    p.dynamics->acceleration(0, Vec3(0.4, 3, -5), Vec3(2, 0, 0), a);
    EXPECT_DOUBLE_EQ(a[0], (-9 * 0.4 - 0.5 * 2) / 2);
    EXPECT_EQ(a[1], 0);
    EXPECT_EQ(a[2], 0);
    const State end = final_state(p, {"implicit-midpoint"}, 0.1, 2);
    EXPECT_EQ(end.x[1], 0);
    EXPECT_EQ(end.v[2], 0);
}

TEST(Oscillator, HasTheEnergyOfItsSpringAndItsMass)
{
    LabProblem p = oscillator_problem({.stiffness = 9, .mass = 2});
    EXPECT_DOUBLE_EQ(p.dynamics->potential_energy(0, Vec3(0.5, 1, 1)).elastic, 0.5 * 9 * 0.25);
    EXPECT_DOUBLE_EQ(p.dynamics->kinetic_energy(Vec3(3, 0, 0)), 9);
}

TEST(ExactOscillator, FollowsItsEquationBelowAtAndAboveCriticalDamping)
{
    const double k = 8, m = 2;
    for (const double c : {0.0, 1.0, 8.0, 8.0 + 1e-7, 20.0}) { // critical: 2 sqrt(k m) = 8
        const Oscillator oscillator{.stiffness = k, .mass = m, .drag = c};
        const auto at = [&](double t) { return exact_state(oscillator, 0.7, -1.1, t); };
        EXPECT_DOUBLE_EQ(at(0).x[0], 0.7);
        EXPECT_DOUBLE_EQ(at(0).v[0], -1.1);
        const double t = 0.9, e = 1e-4;
        EXPECT_NEAR((at(t + e).x[0] - at(t - e).x[0]) / (2 * e), at(t).v[0], 1e-6) << "c = " << c;
        const double a = (at(t + e).v[0] - at(t - e).v[0]) / (2 * e);
        EXPECT_NEAR(m * a, -k * at(t).x[0] - c * at(t).v[0], 1e-5) << "c = " << c;
    }
}

TEST(ExactOscillator, ComesBackAfterAPeriod)
{
    const State s = exact_state({.stiffness = 18, .mass = 2}, 0.3, 0.4, 2 * std::numbers::pi / 3);
    EXPECT_NEAR(s.x[0], 0.3, 1e-14);
    EXPECT_NEAR(s.v[0], 0.4, 1e-14);
}

TEST(Oscillator, IsFollowedByTheTrapezoidalRuleToSecondOrder)
{
    const Oscillator oscillator{.stiffness = 4, .mass = 1, .drag = 0.3};
    const double exact = exact_state(oscillator, 1, 0, 1).x[0];
    const auto error = [&](double h) {
        LabProblem p = oscillator_problem(oscillator);
        return std::abs(final_state(p, {"trapezoidal"}, h, 1).x[0] - exact);
    };
    EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 2, 0.02);
}

} // namespace
} // namespace rubato
