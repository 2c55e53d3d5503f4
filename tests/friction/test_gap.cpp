#include "friction/flat_block.hpp"

/// A finer mesh presses no harder: the gap under a block at rest follows from its weight alone,
///
///     kappa/dhat |b'(gap/dhat)| = weight/area,
///
/// whatever the meshes on both sides. Kappa is chosen so low that the gap is in the middle of dhat, where it tells.
namespace rubato {
namespace {

using test::dhat;
using test::FlatBlock;
using test::gap_under;

constexpr double kappa = 0.82; // [N/m]

/// A block of n x n/4 x n cells on what the scene calls "obstacles" and further "bodies", after it came to rest:
/// implicit Euler damps the bouncing at once, and friction keeps the block from sliding off the slight slopes that
/// contact between meshes has. Newton's method is told to see motions slower than those that friction lets creep.
double mean_gap(int n, double turn, const std::string& bodies, const std::string& rest)
{
    const std::string text = fmt::format(R"({{"time": {{"step": 0.01, "duration": 0.2}}, "integrator": "implicit-euler",
        "solver": {{"tolerance": 1e-5}}, "bodies": [
        {{"name": "block", "mesh": {{"type": "box", "size": [0.4, 0.1, 0.4], "cells": [{0}, {1}, {0}]}},
          "rotate": {{"axis": [0, 1, 0], "angle": {2}}}, "translate": [0.0123, 0.0506, 0.0086], "density": 1000,
          "material": {{"type": "neo-hookean", "young": 1e7, "poisson": 0.3}}}}{3}],
        {4}, "contact": {{"dhat": {5}, "stiffness": {6}, "friction": 0.3}}}})",
        n, n / 4, turn, bodies, rest, dhat, kappa);
    BuiltScene built = rubato::built(scene_from_text(text, "gap.json", "."));
    Simulation simulation = built.simulation();
    const RunResult result = simulation.run(built.duration);
    EXPECT_TRUE(result.finished) << result.why;
    EXPECT_LT(simulation.state().v.lpNorm<Eigen::Infinity>(), 1e-4) << "[m/s]: it is at rest";
    double sum = 0;
    const std::vector<Index>& bottom = built.bodies.front().groups.at("y_min");
    for (const Index i : bottom) sum += node(simulation.state().x, i).y();
    return sum / static_cast<double>(bottom.size()) / dhat;
}

double on_half_space(int n) { return mean_gap(n, 0, "", R"("obstacles": ["half-space"])"); }

double on_box(int n, double turn)
{
    return mean_gap(n, turn, "", R"("obstacles": [{"type": "box", "center": [0, -0.05, 0], "size": [0.8, 0.1, 0.8]}])");
}

/// On a held body of m x 1 x m cells, twice as wide.
double on_mesh(int n, int m, double turn)
{
    return mean_gap(n, turn,
        fmt::format(R"(, {{"name": "table", "mesh": {{"type": "box", "size": [0.8, 0.1, 0.8], "cells": [{0}, 1, {0}]}},
            "translate": [0, -0.05, 0], "density": 1000,
            "material": {{"type": "neo-hookean", "young": 1e7, "poisson": 0.3}}}})",
            m),
        R"("fixed": [{"nodes": {"type": "all", "body": "table"}}])");
}

const double balance = gap_under(FlatBlock::density * FlatBlock::height * test::g, kappa);

TEST(GapAtRest, FollowsFromTheWeightOnAHalfSpaceWhateverTheMesh)
{
    ASSERT_NEAR(balance, 0.5, 0.01);
    for (const int n : {4, 8, 16}) EXPECT_NEAR(on_half_space(n), balance, 0.005) << n;
}

TEST(GapAtRest, IsTheSameOnABoxOfTwelveTriangles)
{
    for (const int n : {4, 8, 16}) {
        for (const double turn : {0.0, 27.0}) EXPECT_NEAR(on_box(n, turn), balance, 0.01) << n << " " << turn;
    }
}

TEST(GapAtRest, IsNearlyTheSameBetweenAnyTwoMeshes)
{
    for (const int n : {4, 8, 16}) {
        for (const int m : {4, 12, 32}) EXPECT_NEAR(on_mesh(n, m, 27), balance, 0.05) << n << " on " << m;
    }
}

} // namespace
} // namespace rubato
