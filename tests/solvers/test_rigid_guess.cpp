#include "solvers/bar.hpp"
#include "solvers/cpu_dynamics.hpp"
#include "solvers/nonlinear/rigid_guess.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace rubato {
namespace {

/// A stiff block with a spin of 60 rad/s that also flies.
struct SpinningBlock : Bar {
    Vector v = X;

    SpinningBlock()
        : Bar("neo-hookean", 0, nullptr, nullptr, 1e8, box_mesh(Vec3(0.1, 0.06, 0.04), {5, 3, 2}))
    {
        for (Index i = 0; i < X.size() / 3; ++i) {
            node(v, i) = Vec3(20, 40, 40).cross(Vec3(node(X, i))) + Vec3(1, 2, 0);
        }
    }
};

TEST(RigidGuess, KeepsTheShapeOfABodyAndTheWayOfItsCentre)
{
    SpinningBlock block;
    const double h = 1.0 / 120;
    const Vector x_tilde = block.X + h * block.v;
    const RigidGuess rigid(block.system, BlockMatrix(block.system.pattern()).root());
    Vector guess;
    ASSERT_TRUE(rigid.make(block.X, x_tilde, 1e-6, guess));
    for (Index i = 0; i < block.X.size() / 3; ++i) { // distances as at rest
        for (Index j = 0; j < i; ++j) {
            EXPECT_NEAR((node(guess, i) - node(guess, j)).norm(), (node(block.X, i) - node(block.X, j)).norm(), 1e-12);
        }
    }
    const Vec3 centre_of_straight = Eigen::Map<const Eigen::Matrix3Xd>(x_tilde.data(), 3, x_tilde.size() / 3)
        * block.system.mass.nodal() / block.system.mass.nodal().sum();
    const Vec3 centre = Eigen::Map<const Eigen::Matrix3Xd>(guess.data(), 3, guess.size() / 3)
        * block.system.mass.nodal() / block.system.mass.nodal().sum();
    EXPECT_LE((centre - centre_of_straight).norm(), 1e-12);

    // A flight without a turn needs no other guess, nor do nodes that are held.
    const Vector shifted = block.X + Vector::Constant(block.X.size(), 0.1);
    EXPECT_FALSE(rigid.make(block.X, shifted, 1e-9, guess));
    EXPECT_LE((guess - shifted).norm(), 1e-12);
}

TEST(RigidGuess, SavesIterationsOfAStiffSpin)
{
    int iterations[2];
    Vector answers[2];
    for (const bool knows_positions : {false, true}) {
        SpinningBlock block;
        if (!knows_positions) block.system.X.resize(0); // then there is no such guess
        const double h = 1.0 / 120;
        CpuDynamics dynamics(std::move(block.system), {.velocity_tolerance = 1e-6});
        const Stage stage{.x_tilde = block.X + h * block.v, .x_anchor = block.X, .tau = h, .scale = h * h, .t = h};
        const SolveReport report = dynamics.solve(stage, block.X, answers[knows_positions]);
        ASSERT_TRUE(report.ok());
        iterations[knows_positions] = report.iterations;
    }
    EXPECT_LE(iterations[1], iterations[0] / 2) << iterations[0];
    EXPECT_LE((answers[0] - answers[1]).norm(), 1e-8);
}

} // namespace
} // namespace rubato
