#include "potentials/forces.hpp"

#include <gtest/gtest.h>

namespace rubato {

namespace {

double by_sums(const ForceProfile& profile, double from, double to)
{
    constexpr int parts = 200000;
    double sum = 0;
    for (int i = 0; i < parts; ++i) sum += profile.at(from + (i + 0.5) * (to - from) / parts);
    return sum * (to - from) / parts;
}

TEST(ForceProfiles, KnowTheirIntegral)
{
    const PiecewiseLinear bent({0.1, 0.3, 0.35, 0.8}, {1, -2, 5, 0.5});
    const Pulse pulse(0.2, 0.45);
    const Sine sine(7, 0.4);
    for (const ForceProfile* profile : {static_cast<const ForceProfile*>(&bent),
             static_cast<const ForceProfile*>(&pulse), static_cast<const ForceProfile*>(&sine)}) {
        for (const auto& [from, to] :
            {std::pair(-1.0, 2.0), {0.0, 0.05}, {0.05, 0.32}, {0.31, 0.32}, {0.5, 1.5}, {0.9, 1.0}}) {
            EXPECT_NEAR(profile->integral(from, to), by_sums(*profile, from, to), 2e-5) << from << " to " << to;
        }
    }
}

TEST(ForceProfiles, SayWhereSamplesWouldMissSomething)
{
    const Pulse pulse(0.2, 0.45);
    EXPECT_TRUE(pulse.smooth(0, 0.1));
    EXPECT_TRUE(pulse.smooth(0.21, 0.44));
    EXPECT_FALSE(pulse.smooth(0.1, 0.21));
    EXPECT_FALSE(pulse.smooth(0.1, 0.5));
    EXPECT_FALSE(pulse.smooth(0.1, 0.2)) << "the value at the end of this step is that of the next";
    EXPECT_FALSE(pulse.smooth(0.45, 0.5));

    const PiecewiseLinear bent({0.1, 0.3, 0.35}, {1, -2, 5});
    EXPECT_TRUE(bent.smooth(0.1, 0.3)) << "straight between two times";
    EXPECT_FALSE(bent.smooth(0.2, 0.31));
    EXPECT_TRUE(bent.smooth(0.35, 4));

    const Sine sine(2 * 3.14159265358979, 0);
    EXPECT_TRUE(sine.smooth(0.1, 0.3));
    EXPECT_FALSE(sine.smooth(0.1, 0.4));
}

TEST(NodalForce, IsItsMeanInAStepInWhichItIsSwitched)
{
    const Vector X = Vector::Zero(3), x = Vector::Ones(3);
    NodalForce force({0}, {Vec3(8, 0, 0)}, X, std::make_shared<Pulse>(0.25, 0.3));
    const auto felt = [&](double t) {
        Vector g = Vector::Zero(3);
        double value = 0;
        Assembly sink{.value = &value, .gradient = &g};
        force.add(x, t, sink);
        EXPECT_NEAR(value, g[0], 1e-14) << "P = -F . (x - X)";
        return -g[0];
    };
    EXPECT_EQ(felt(0.26), 8) << "outside of a step";
    EXPECT_FALSE(force.acts_as_mean());
    force.begin_step(0.2, 0.1);
    EXPECT_TRUE(force.acts_as_mean());
    for (const double t : {0.2, 0.26, 0.3}) EXPECT_NEAR(felt(t), 4, 1e-14);
    force.begin_step(0.26, 0.01);
    EXPECT_FALSE(force.acts_as_mean());
    EXPECT_EQ(felt(0.265), 8);
}

} // namespace

} // namespace rubato
