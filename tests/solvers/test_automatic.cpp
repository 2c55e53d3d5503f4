#include "solvers/bar.hpp"
#include "solvers/linear/automatic.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

/// The Hessian M/h^2 + grad^2 P(X) of a box that is held at one end, and a load with every shape in it.
struct HeldBox {
    System system;
    BlockMatrix A;
    Vector b;

    HeldBox(const Vec3& size, const std::array<int, 3>& cells, double young)
        : system(
            std::move(Bar("neo-hookean", 0, std::make_shared<Rest>(), nullptr, young, box_mesh(size, cells)).system))
        , A(system.pattern())
    {
        constexpr double h = 1.0 / 30;
        system.mass.add_to(A, 1 / (h * h));
        Assembly at_rest{.hessian = &A};
        for (const auto& potential : system.potentials) potential->add(system.X, 0, at_rest);
        A.mirror();
        b = random_vector(system.X.size(), 1, 4);
        system.prescription.set_zero(b);
    }
};

HeldBox rod() { return {Vec3(2, 0.002, 0.002), {300, 1, 1}, 1e11}; }
HeldBox bar() { return {Vec3(0.2, 0.05, 0.05), {24, 6, 6}, 1e6}; }

TEST(AutomaticSolver, FactorisesOnceConjugateGradientsHaveCostAsMuch)
{
    HeldBox box = rod();
    Vector by_cholesky, p;
    Cholesky(false).solve(box.A, box.system.prescription, box.b, {1e-2}, by_cholesky);
    ConjugateGradients alone(0, box.system.X);
    const int iterations = alone.solve(box.A, box.system.prescription, box.b, {1e-2}, p).iterations;

    AutomaticSolver solver(0, box.system.X, box.A);
    const LinearReport report = solver.solve(box.A, box.system.prescription, box.b, {1e-2}, p);
    EXPECT_EQ(report.status, LinearStatus::solved);
    EXPECT_TRUE(solver.factorises());
    EXPECT_EQ(p, by_cholesky);
    EXPECT_LT(report.iterations, iterations / 4);
    EXPECT_GT(report.iterations, 0);
}

TEST(AutomaticSolver, StaysWithConjugateGradientsWhereTheyAreQuick)
{
    HeldBox box = bar();
    Vector alone, p;
    const LinearReport by_them
        = ConjugateGradients(0, box.system.X).solve(box.A, box.system.prescription, box.b, {1e-2}, alone);
    AutomaticSolver solver(0, box.system.X, box.A);
    const LinearReport report = solver.solve(box.A, box.system.prescription, box.b, {1e-2}, p);
    EXPECT_FALSE(solver.factorises());
    EXPECT_EQ(report.iterations, by_them.iterations);
    EXPECT_EQ(p, alone);
}

TEST(AutomaticSolver, RemembersWithinANonlinearSolveAndForgetsWithTheNext)
{
    HeldBox box = rod();
    AutomaticSolver solver(0, box.system.X, box.A);
    Vector first, p;
    solver.begin();
    const int iterations = solver.solve(box.A, box.system.prescription, box.b, {1e-2}, first).iterations;
    EXPECT_EQ(solver.solve(box.A, box.system.prescription, box.b, {1e-2}, p).iterations, 0);
    EXPECT_EQ(p, first);

    solver.begin(); // as a step that is tried again, or a run that is resumed
    EXPECT_FALSE(solver.factorises());
    EXPECT_EQ(solver.solve(box.A, box.system.prescription, box.b, {1e-2}, p).iterations, iterations);
    EXPECT_EQ(p, first);
}

TEST(AutomaticSolver, TellsWhereTheCurvatureIsNegative)
{
    HeldBox box = rod();
    AutomaticSolver solver(0, box.system.X, box.A);
    Vector p;
    solver.solve(box.A, box.system.prescription, box.b, {1e-2}, p);
    ASSERT_TRUE(solver.factorises());
    const Index last = box.A.rows() - 1;
    box.A.block(box.A.slot(last, last)) -= 2 * box.A.block(box.A.slot(last, last)).trace() * Mat3::Identity();
    EXPECT_EQ(solver.solve(box.A, box.system.prescription, box.b, {1e-2}, p).status, LinearStatus::indefinite);
    ASSERT_NE(solver.negative_curvature(), nullptr);
    EXPECT_LT((*solver.negative_curvature())[last], 0);
}

} // namespace
} // namespace rubato
