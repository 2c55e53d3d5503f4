#include "contracts/gradient_descent.hpp"
#include "contracts/small_systems.hpp"
#include "integrators/catalog.hpp"
#include "solvers/catalog.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <ostream>

/// What every solver of stages promises, run over the whole catalog and one solver that only tests know.
namespace rubato::small {

namespace {

struct StageSolverCase {
    std::string name;
    bool minimises;
    std::function<std::unique_ptr<StageSolver>()> make; ///< as exact as it gets
};

void PrintTo(const StageSolverCase& c, std::ostream* out) { *out << c.name; }

std::vector<StageSolverCase> stage_solver_cases()
{
    std::vector<StageSolverCase> cases;
    for (const SolverEntry& entry : solver_catalog()) {
        Options options = defaults(entry.options);
        for (const OptionSpec& spec : entry.options) {
            if (spec.name == "tolerance") options.set("tolerance", 1e-10);
            if (spec.name == "max_iterations" || spec.name == "iterations") options.set(spec.name, 100000);
        }
        cases.push_back({entry.name, entry.minimises, [&entry, options] { return entry.make(options, {}); }});
    }
    cases.push_back({"gradient-descent", true, [] { return std::make_unique<GradientDescent>(); }});
    return cases;
}

Problem solved_by(Problem p, std::unique_ptr<StageSolver> solver)
{
    System system = std::move(p.dynamics->system());
    p.dynamics = std::make_unique<CpuDynamics>(std::move(system), std::move(solver), nullptr);
    return p;
}

const std::vector<ProblemMaker>& makers()
{
    static const std::vector<ProblemMaker> all = {
        [] { return chain(); },
        [] { return chain_with_drag(); },
        [] { return driven_chain(0.5); },
        [] { return damped_tetrahedra(); },
    };
    return all;
}

bool same_state(const State& a, const State& b) { return a.t == b.t && a.x == b.x && a.v == b.v; }

class StageSolvers : public testing::TestWithParam<StageSolverCase> { };

TEST_P(StageSolvers, FindNewtonsMinimiserIfTheyMinimise)
{
    constexpr double h = 0.02;
    for (const ProblemMaker& make : makers()) {
        Problem newton = make(), p = solved_by(make(), GetParam().make());
        const State& now = newton.start;
        const Stage stage{.x_tilde = now.x + h * now.v, .x_anchor = now.x, .tau = h, .scale = h * h, .t = now.t + h};
        Vector expected, y;
        newton.dynamics->begin_step(now, h);
        ASSERT_TRUE(newton.dynamics->solve(stage, now.x, expected).ok());
        p.dynamics->begin_step(now, h);
        const SolveReport report = p.dynamics->solve(stage, now.x, y);
        EXPECT_TRUE(report.ok()) << text(report.reason);
        const double error = (y - expected).lpNorm<Eigen::Infinity>();
        const double moved = (expected - now.x).lpNorm<Eigen::Infinity>();
        EXPECT_LE(error, GetParam().minimises ? 1e-10 : 0.1 * moved);
    }
}

TEST_P(StageSolvers, LeaveNoTraceOfARejectedAttempt)
{
    for (const ProblemMaker& make : makers()) {
        Problem p = solved_by(make(), GetParam().make()), q = solved_by(make(), GetParam().make());
        const auto integrator = made(integrator_named("implicit-euler"));
        State a = p.start, b = q.start, rejected;
        Vector jump;
        for (int n = 0; n < 5; ++n) {
            ASSERT_EQ(advance(*p.dynamics, *integrator, a, 0.01).status, StepStatus::ok);
            p.dynamics->accept(a, jump);
            for (const double other : {0.037, 0.004}) {
                q.dynamics->begin_step(b, other);
                proposal(*q.dynamics, *integrator, b, other, rejected);
            }
            ASSERT_EQ(advance(*q.dynamics, *integrator, b, 0.01).status, StepStatus::ok);
            q.dynamics->accept(b, jump);
            ASSERT_TRUE(same_state(a, b)) << "step " << n;
        }
    }
}

TEST_P(StageSolvers, RestartWhereTheyWereStopped)
{
    constexpr double h = 0.01;
    for (const ProblemMaker& make : makers()) {
        FixedStep controller(h);
        const auto fresh = [&] { return solved_by(make(), GetParam().make()); };
        Problem p = fresh(), q = fresh(), r = fresh();
        const auto integrator = made(integrator_named("implicit-euler"));
        Simulation whole(*p.dynamics, *integrator, controller, p.start);
        ASSERT_TRUE(whole.run(12 * h).finished);

        Simulation first(*q.dynamics, *integrator, controller, q.start);
        ASSERT_TRUE(first.run(5 * h).finished);
        Archive saved;
        first.serialize(saved);
        Simulation second(*r.dynamics, *integrator, controller, r.start);
        Archive loaded(saved.bytes());
        second.serialize(loaded);
        EXPECT_TRUE(loaded.at_end());
        ASSERT_TRUE(second.run(12 * h).finished);
        EXPECT_TRUE(same_state(whole.state(), second.state()));
    }
}

INSTANTIATE_TEST_SUITE_P(, StageSolvers, testing::ValuesIn(stage_solver_cases()), [](const auto& test) {
    std::string name = test.param.name;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
});

TEST(SolverCatalog, BeginsWithASolverThatMinimises)
{
    ASSERT_FALSE(solver_catalog().empty());
    EXPECT_EQ(solver_catalog().front().name, "newton");
    EXPECT_TRUE(solver_catalog().front().minimises);
}

TEST(StageSolverMemory, MovesOnceForEachStepThatTheSimulationAccepts)
{
    auto owned = std::make_unique<GradientDescent>();
    const GradientDescent& solver = *owned;
    Problem p = solved_by(chain(), std::move(owned));
    FixedStep controller(0.01);
    const auto integrator = made(integrator_named("implicit-midpoint"));
    Simulation simulation(*p.dynamics, *integrator, controller, p.start);
    ASSERT_TRUE(simulation.run(0.07).finished);
    EXPECT_EQ(simulation.steps(), 7);
    EXPECT_EQ(solver.accepted(), 7);
}

/// A solver that stops short of minima is no one to look for a state of rest.
TEST(StageSolverMemory, StatesOfRestAreLookedForByASolverThatMinimises)
{
    const auto hanging = [] {
        System system = chain_system();
        system.potentials.push_back(
            std::make_unique<Gravity>(Vector(Eigen::Vector4d(1.0, 0.7, 1.3, 0.9)), Vec3(0, -9.8, 0), Vec3::Zero()));
        system.prescription.add(0, Vec3::Zero(), std::make_shared<Rest>());
        return problem(std::move(system), chain_start(), 1.0);
    };
    const SolverEntry* coarse = nullptr;
    for (const SolverEntry& entry : solver_catalog()) {
        if (!entry.minimises) coarse = &entry;
    }
    ASSERT_NE(coarse, nullptr);
    Problem newton = hanging(), p = hanging();
    System system = std::move(p.dynamics->system());
    CpuDynamics dynamics(
        std::move(system), coarse->make(defaults(coarse->options), {}), std::make_unique<Newton>(tight()));
    Vector expected, y;
    ASSERT_TRUE(newton.dynamics->rest(0, newton.start.x, expected).ok());
    ASSERT_TRUE(dynamics.rest(0, p.start.x, y).ok());
    EXPECT_EQ(y, expected);
}

} // namespace
} // namespace rubato::small
