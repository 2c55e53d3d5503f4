#include "solvers/bar.hpp"
#include "solvers/linear/choice.hpp"
#include "solvers/linear/cholesky.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

constexpr double h = 1.0 / 30;

/// A box of neo-Hookean material, held at one end.
System held_box(const Vec3& size, const std::array<int, 3>& cells, double young)
{
    return std::move(Bar("neo-hookean", 0, std::make_shared<Rest>(), nullptr, young, box_mesh(size, cells)).system);
}

LinearMethod choice_for(System& system, double step, bool multigrid = true)
{
    return cheaper_method(system, BlockMatrix(system.pattern()), {.multigrid = multigrid}, step);
}

TEST(Choice, CountsTheWorkOfAFactorisation)
{
    // All nodes are neighbours: the factor is a full triangle.
    const Index nodes = 6, n = 3 * nodes;
    BlockPattern pattern(nodes);
    for (Index i = 0; i < nodes; ++i) {
        for (Index j = 0; j < i; ++j) pattern.add(i, j);
    }
    Prescription none;
    none.finish(n);
    const CholeskyWork work = Cholesky(false).work(BlockMatrix(pattern), none);
    EXPECT_EQ(work.entries, n * (n + 1) / 2);
    double flops = 0; // CHOLMOD counts the square of each column's entries
    for (Index k = 1; k <= n; ++k) flops += static_cast<double>(k) * static_cast<double>(k);
    EXPECT_EQ(work.flops, flops);
}

TEST(Choice, IteratesOnCompactBodiesAndFactorisesThinStiffOnes)
{
    System cube = held_box(Vec3(0.05, 0.05, 0.05), {8, 8, 8}, 1e6);
    EXPECT_EQ(choice_for(cube, h), LinearMethod::conjugate_gradients);
    System bar = held_box(Vec3(0.2, 0.05, 0.05), {24, 6, 6}, 1e9);
    EXPECT_EQ(choice_for(bar, h), LinearMethod::conjugate_gradients);

    System rod = held_box(Vec3(2, 0.002, 0.002), {300, 1, 1}, 1e11);
    EXPECT_EQ(choice_for(rod, h), LinearMethod::cholesky);
    System shell = held_box(Vec3(0.3, 0.3, 0.0002), {30, 30, 1}, 1e11);
    EXPECT_EQ(choice_for(shell, h), LinearMethod::cholesky);
}

TEST(Choice, KnowsThatInertiaHelpsConjugateGradientsInShortSteps)
{
    System rod = held_box(Vec3(2, 0.002, 0.002), {300, 1, 1}, 1e11);
    const BlockMatrix root(rod.pattern());
    const SolveCosts at_30 = expected_costs(rod, root, {}, h);
    const SolveCosts in_short_steps = expected_costs(rod, root, {}, 1e-7);
    EXPECT_GT(at_30.iterations, 20 * in_short_steps.iterations);
    EXPECT_EQ(choice_for(rod, 1e-7), LinearMethod::conjugate_gradients);
}

TEST(Choice, LeavesItToConjugateGradientsWhereNothingIsKnown)
{
    System rod = held_box(Vec3(2, 0.002, 0.002), {300, 1, 1}, 1e11);
    EXPECT_EQ(choice_for(rod, 0), LinearMethod::conjugate_gradients); // no time step
    EXPECT_EQ(choice_for(rod, h, false), LinearMethod::conjugate_gradients); // a preconditioner was asked for
}

} // namespace
} // namespace rubato
