#include "potentials/motions.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace rubato {
namespace {

TEST(Motions, VelocityIsTheDerivativeOfPosition)
{
    std::vector<std::unique_ptr<Motion>> motions;
    motions.push_back(std::make_unique<Rest>());
    motions.push_back(std::make_unique<Translation>(Vec3(1, -2, 0.5), 0.2, 1.4));
    motions.push_back(std::make_unique<Rotation>(Vec3(1, 0, 0), Vec3(0, 1, 2), 3, 0.1, 2));
    motions.push_back(std::make_unique<Oscillation>(Vec3(0.1, 0, 0.3), 1.7));
    motions.push_back(std::make_unique<Keyframes>(
        std::vector<double>{0.1, 0.5, 2}, std::vector<Vec3>{Vec3::Zero(), Vec3(1, 2, 3), Vec3(-1, 0, 0)}));
    const Vec3 X(0.3, 0.7, -0.2);
    const double e = 1e-4;
    for (const auto& motion : motions) {
        for (const double t : {-0.3, 0.05, 0.33, 0.77, 1.31, 2.9}) {
            // fourth-order central difference
            const auto at = [&](double a) { return motion->position(X, t + a); };
            const Vec3 slope = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
            EXPECT_LE((motion->velocity(X, t) - slope).norm(), 1e-9) << t;
        }
    }
}

TEST(Motions, RotationKeepsTheDistanceFromItsAxis)
{
    const Rotation turn(Vec3(1, 1, 0), Vec3(0, 0, 2), std::numbers::pi, 0, 1);
    const Vec3 at = turn.position(Vec3(2, 1, 5), 1);
    EXPECT_LE((at - Vec3(0, 1, 5)).norm(), 1e-14); // half a turn
    EXPECT_EQ(turn.position(Vec3(2, 1, 5), 7), at); // and then rests
}

TEST(Motions, KeyframesPassThroughTheirKeysAndNeverOvershoot)
{
    const Keyframes keys({0, 1, 3}, {Vec3::Zero(), Vec3(1, 0, 0), Vec3(0.2, 0, 0)});
    EXPECT_EQ(keys.position(Vec3::Zero(), 1), Vec3(1, 0, 0));
    EXPECT_EQ(keys.position(Vec3::Zero(), 3), Vec3(0.2, 0, 0));
    for (double t = -1; t < 4; t += 0.01) {
        const double x = keys.position(Vec3::Zero(), t)[0];
        EXPECT_GE(x, 0);
        EXPECT_LE(x, 1);
    }
}

} // namespace
} // namespace rubato
