#include "geometry/generators.hpp"
#include "potentials/tetrahedra.hpp"
#include "solvers/linear/choice.hpp"
#include "solvers/linear/cholesky.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

constexpr double h = 1.0 / 30;

class Still final : public Motion {
public:
    Vec3 position(const Vec3& X, double /*t*/) const override { return X; }
    Vec3 velocity(const Vec3& /*X*/, double /*t*/) const override { return Vec3::Zero(); }
    bool at_rest() const override { return true; }
};

/// A box, held at its lower end along x.
System held_box(const Vec3& size, const std::array<int, 3>& cells, double young)
{
    const TetMesh mesh = box_mesh(size, cells);
    System system;
    system.X.resize(3 * static_cast<Eigen::Index>(mesh.nodes.size()));
    for (Index i = 0; i < static_cast<Index>(mesh.nodes.size()); ++i) {
        node(system.X, i) = mesh.nodes[static_cast<std::size_t>(i)];
    }
    const TetBatches tets(mesh.tets, system.X);
    Vector mass = Vector::Zero(system.X.size() / 3);
    add_lumped_mass(tets, 1000, mass);
    system.mass = Mass(mass);
    for (const MaterialEntry& entry : tetrahedra_catalog()) {
        if (entry.name != "neo-hookean") continue;
        Options options = defaults(entry.options);
        options.set("young", young);
        system.potentials.push_back(entry.make(options, tets));
    }
    const auto still = std::make_shared<Still>();
    for (const Index i : mesh.groups.at("x_min")) system.prescription.add(i, node(system.X, i), still);
    system.prescription.finish(system.X.size());
    return system;
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
