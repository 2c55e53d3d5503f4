#include "potentials/springs.hpp"
#include "solvers/bar.hpp"
#include "solvers/cpu_dynamics.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace rubato {
namespace {

Stage euler_stage(const Vector& x, const Vector& v, double h)
{
    return {.x_tilde = x + h * v, .x_anchor = x, .tau = h, .scale = h * h, .t = h};
}

/// |grad E| in metres at y.
double imbalance(System& system, const Stage& stage, const Vector& y)
{
    IncrementalPotential E(system);
    E.set_stage(stage);
    Vector g, a;
    E.value_and_gradient(y, g);
    system.mass.solve(g, a);
    return largest_nodal_norm(a);
}

TEST(Newton, EveryVariantFindsTheSameMinimiser)
{
    const double h = 1.0 / 30;
    for (const char* material : {"neo-hookean", "stable-neo-hookean", "fixed-corotated", "symmetric-dirichlet"}) {
        Vector reference;
        for (const LineSearch search : {LineSearch::backtracking, LineSearch::wolfe}) {
            for (const LinearMethod method : {LinearMethod::cholesky, LinearMethod::conjugate_gradients}) {
                for (const auto& [projected, lift] : {std::pair{true, 0.0}, {true, 0.01}, {false, 0.0}}) {
                    NewtonOptions options{
                        .velocity_tolerance = 1e-9, .line_search = search, .projected = projected, .lift = lift};
                    options.linear.method = method;
                    Bar bar(material);
                    const Vector X = bar.X;
                    const Vector v = random_vector(X.size(), 0.5, 21);
                    CpuDynamics dynamics(std::move(bar.system), options);
                    State now{0, X, v};
                    dynamics.prescribe(now);
                    dynamics.begin_step(now, h);
                    const Stage stage = euler_stage(now.x, now.v, h);
                    Vector y;
                    const SolveReport report = dynamics.solve(stage, now.x, y);
                    EXPECT_TRUE(report.ok()) << material << ": " << text(report.reason);
                    EXPECT_LE(imbalance(dynamics.system(), stage, y), 1e-9) << material;
                    if (reference.size() == 0) reference = y;
                    EXPECT_LE((y - reference).lpNorm<Eigen::Infinity>(), 1e-8) << material;
                }
            }
        }
    }
}

/// In a long stiff bar the residual of conjugate gradients is all high frequency while the answer is one slow bend: a
/// solve that looks at the residual alone stops after a few iterations with a tiny step and calls that convergence.
TEST(Newton, ConjugateGradientsFindTheBendOfAStiffBarAtTheDefaultTolerance)
{
    const double h = 1.0 / 30;
    for (const double young : {1e6, 1e7, 1e9}) {
        Vector reference;
        for (const LinearMethod method : {LinearMethod::cholesky, LinearMethod::conjugate_gradients}) {
            NewtonOptions options;
            options.linear.method = method;
            Bar bar(
                "neo-hookean", -9.8, std::make_shared<Rest>(), nullptr, young, box_mesh(Vec3(2, 0.1, 0.1), {40, 4, 4}));
            const State now{0, bar.X, Vector::Zero(bar.X.size())};
            CpuDynamics dynamics(std::move(bar.system), options);
            dynamics.begin_step(now, h);
            Vector y;
            const SolveReport report = dynamics.solve(euler_stage(now.x, now.v, h), now.x, y);
            EXPECT_TRUE(report.ok()) << text(report.reason);
            if (method == LinearMethod::cholesky) {
                reference = y;
            } else {
                EXPECT_LE(largest_nodal_norm(y - reference), 0.1 * options.velocity_tolerance * h) << young;
            }
        }
    }
}

TEST(Newton, AnIterationLimitOfTheLinearSolverIsNoConvergence)
{
    NewtonOptions options;
    options.linear = {.method = LinearMethod::conjugate_gradients, .cg_scale = 1, .cg_max_iterations = 2};
    options.max_iterations = 5;
    Bar bar("neo-hookean", -9.8, std::make_shared<Rest>(), nullptr, 1e7, box_mesh(Vec3(2, 0.1, 0.1), {40, 4, 4}));
    const State now{0, bar.X, Vector::Zero(bar.X.size())};
    CpuDynamics dynamics(std::move(bar.system), options);
    dynamics.begin_step(now, 1.0 / 30);
    Vector y;
    EXPECT_EQ(dynamics.solve(euler_stage(now.x, now.v, 1.0 / 30), now.x, y).reason, StopReason::iteration_limit);
}

TEST(Newton, ConvergesTightlyFarFromTheOrigin)
{
    TetMesh mesh = box_mesh(Vec3(0.4, 0.1, 0.1), {4, 1, 1});
    for (Vec3& x : mesh.nodes) x.y() += 1000;
    for (const LineSearch search : {LineSearch::backtracking, LineSearch::wolfe}) {
        Bar bar("neo-hookean", -9.8, std::make_shared<Rest>(), nullptr, 1e3, mesh);
        State now{0, bar.X, Vector::Zero(bar.X.size())};
        CpuDynamics dynamics(std::move(bar.system), {.velocity_tolerance = 1e-10, .line_search = search});
        const double h = 1.0 / 30;
        for (int step = 0; step < 12; ++step) {
            dynamics.begin_step(now, h);
            Vector y;
            const SolveReport report = dynamics.solve(euler_stage(now.x, now.v, h), now.x, y);
            ASSERT_TRUE(report.ok()) << "step " << step << ": " << text(report.reason);
            now = {now.t + h, y, (y - now.x) / h};
        }
    }
}

TEST(Newton, FreeFallNeedsOneIteration)
{
    Bar bar("neo-hookean", -9.8, nullptr);
    const Vector X = bar.X;
    CpuDynamics dynamics(std::move(bar.system), {});
    const State now{0, X, Vector::Zero(X.size())};
    const double h = 1.0 / 30;
    dynamics.begin_step(now, h);
    Vector y;
    const SolveReport report = dynamics.solve(euler_stage(now.x, now.v, h), now.x, y);
    EXPECT_EQ(report.reason, StopReason::converged_step);
    EXPECT_EQ(report.iterations, 1); // the explicit guess is already the answer
    for (Index i = 0; i < static_cast<Index>(X.size() / 3); ++i)
        EXPECT_NEAR(y[3 * i + 1] - X[3 * i + 1], -9.8 * h * h, 1e-12);
}

TEST(Newton, StopsAtTheIterationLimitAndSaysSo)
{
    Bar bar("neo-hookean");
    const Vector X = bar.X;
    CpuDynamics dynamics(std::move(bar.system), {.velocity_tolerance = 1e-12, .max_iterations = 2});
    const State now{0, X, random_vector(X.size(), 3, 22)};
    dynamics.begin_step(now, 0.1);
    Vector y;
    const SolveReport report = dynamics.solve(euler_stage(now.x, now.v, 0.1), now.x, y);
    EXPECT_EQ(report.reason, StopReason::iteration_limit);
    EXPECT_EQ(report.iterations, 2);
    EXPECT_TRUE(y.allFinite());
}

TEST(Newton, StopsOnTheGradientWhenAsked)
{
    Bar bar("neo-hookean");
    const Vector X = bar.X;
    CpuDynamics dynamics(std::move(bar.system), {.velocity_tolerance = 0, .gradient_tolerance = 1e-6});
    const State now{0, X, Vector::Zero(X.size())};
    dynamics.begin_step(now, 0.01);
    Vector y;
    const Stage stage = euler_stage(now.x, now.v, 0.01);
    const SolveReport report = dynamics.solve(stage, now.x, y);
    EXPECT_EQ(report.reason, StopReason::converged_gradient);
    EXPECT_LE(imbalance(dynamics.system(), stage, y), 1e-6 * stage.scale);
}

TEST(Newton, ZeroToleranceEndsAtRoundOff)
{
    for (const LineSearch search : {LineSearch::backtracking, LineSearch::wolfe}) {
        Bar bar("stable-neo-hookean");
        const Vector X = bar.X;
        CpuDynamics dynamics(std::move(bar.system), {.velocity_tolerance = 0, .line_search = search});
        const State now{0, X, random_vector(X.size(), 0.5, 23)};
        dynamics.begin_step(now, 0.03);
        Vector y;
        const Stage stage = euler_stage(now.x, now.v, 0.03);
        const SolveReport report = dynamics.solve(stage, now.x, y);
        EXPECT_TRUE(report.ok()) << text(report.reason);
        EXPECT_LE(imbalance(dynamics.system(), stage, y), 1e-12);
    }
}

TEST(Newton, CarriesScriptedNodesWhereTheyCannotJump)
{
    // The right end moves left by 20 of 40 cm in one step: a jump would turn the last cells, 10 cm long, inside out.
    const auto squeeze = std::make_shared<Translation>(Vec3(-2, 0, 0), 0, 0.1);
    Bar bar("neo-hookean", 0, std::make_shared<Rest>(), squeeze);
    const Vector X = bar.X;
    const std::vector<Index> right = bar.mesh.groups.at("x_max");
    CpuDynamics dynamics(std::move(bar.system), {.velocity_tolerance = 1e-8});
    const State now{0, X, Vector::Zero(X.size())};
    dynamics.begin_step(now, 0.1);
    Vector y;
    const Stage stage = euler_stage(now.x, now.v, 0.1);
    const SolveReport report = dynamics.solve(stage, now.x, y);
    ASSERT_TRUE(report.ok()) << text(report.reason);
    EXPECT_TRUE(std::isfinite(dynamics.potential_energy(0.1, y).total()));
    for (const Index i : right) EXPECT_EQ(Vec3(node(y, i)), squeeze->position(node(X, i), 0.1));
    EXPECT_LE(imbalance(dynamics.system(), stage, y), 1e-6);
}

TEST(Rest, HangingSpringFindsItsEquilibrium)
{
    System system;
    system.mass = Mass(Vector::Constant(2, 0.5));
    system.potentials.push_back(std::make_unique<Springs>(std::vector<Spring>{{0, 1, 20, 0.3}}));
    system.potentials.push_back(std::make_unique<Gravity>(Vector::Constant(2, 0.5), Vec3(0, -10, 0), Vec3::Zero()));
    system.prescription.add(0, Vec3::Zero(), std::make_shared<Rest>());
    system.prescription.finish(6);
    CpuDynamics dynamics(std::move(system), {});
    Vector x(6), y;
    x << 0, 0, 0, 0.2, -0.2, 0.1; // hangs askew
    const SolveReport report = dynamics.rest(0, x, y);
    EXPECT_TRUE(report.ok()) << text(report.reason);
    EXPECT_LE((Vec3(y.tail<3>()) - Vec3(0, -0.3 - 0.5 * 10 / 20.0, 0)).norm(), 1e-5);
}

TEST(Rest, ABodyThatNothingHoldsHasNone)
{
    Bar bar("neo-hookean", -9.8, nullptr);
    const Vector X = bar.X;
    CpuDynamics dynamics(std::move(bar.system), {});
    Vector y;
    EXPECT_EQ(dynamics.rest(0, X, y).reason, StopReason::unbalanced);
}

/// What is kept for a system goes by its ids: another system may well come to lie at the same address.
TEST(Newton, KnowsASystemByItsIdsAndNotByItsAddress)
{
    Newton newton({.velocity_tolerance = 1e-10});
    std::optional<System> place;
    for (const Index nodes : {Index{2}, Index{5}, Index{3}}) {
        System& system = place.emplace();
        system.mass = Mass(Vector(Vector::Constant(nodes, 0.5)));
        std::vector<Spring> springs;
        for (Index i = 1; i < nodes; ++i) springs.push_back({0, i, 40.0, 1.0});
        system.potentials.push_back(std::make_unique<Springs>(springs));
        system.prescription.finish(system.unknowns());
        IncrementalPotential E(system);
        const Vector x = random_vector(system.unknowns(), 2, 7);
        const Stage stage = euler_stage(x, Vector::Zero(x.size()), 0.1);
        E.set_stage(stage);
        const State now{0, x, Vector::Zero(x.size())};
        newton.begin_step({.now = now, .h = 0.1});
        Vector y;
        EXPECT_TRUE(newton.minimise(E, x, y).ok());
        EXPECT_LE(imbalance(system, stage, y), 1e-9);
    }
}

} // namespace
} // namespace rubato
