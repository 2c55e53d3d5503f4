#include "contracts/faulty_dynamics.hpp"
#include "contracts/over_integrators.hpp"
#include "contracts/small_systems.hpp"
#include "control/halving.hpp"

#include <atomic>

/// What every integrator in the catalog keeps, whatever its formula. Orders are in test_integrators_order.cpp.
namespace rubato::small {

namespace {

class Integrators : public OverIntegrators { };

/// Under a constant force the velocity is exact, and positions have the second difference h^2 g: x_n is a parabola in
/// n. Methods of second order hit the true parabola. Only a method whose first step is of lower order, because its
/// recurrence has nothing to begin with, may miss it, by what that one step leaves behind, and needs some steps until
/// it moves along a parabola.
TEST_P(Integrators, FallFreelyAlongAParabola)
{
    const Vec3 g(0.3, -9.81, 0.2);
    const double h = 0.05;
    const long transient = entry().starts_lower ? 40 : 0;
    Problem p = free_fall(g);
    const auto integrator = made(entry());

    std::vector<State> states = {p.start};
    for (long n = 1; n <= transient + 20; ++n) {
        State now = states.back();
        ASSERT_EQ(advance(*p.dynamics, *integrator, now, h).status, StepStatus::ok);
        states.push_back(now);
    }
    for (std::size_t n = 1; n < states.size(); ++n) {
        const double t = static_cast<double>(n) * h;
        for (Index i = 0; i < 3; ++i) {
            const Vec3 x0 = node(p.start.x, i), v0 = node(p.start.v, i), x = node(states[n].x, i);
            ASSERT_LT((Vec3(node(states[n].v, i)) - (v0 + t * g)).norm(), 1e-11) << "step " << n;
            if (n + 1 < states.size() && static_cast<long>(n) > transient) {
                const Vec3 second = node(states[n + 1].x, i) - 2 * node(states[n].x, i) + node(states[n - 1].x, i);
                ASSERT_LT((second - h * h * g).norm(), 1e-11) << "step " << n;
            }
            const Vec3 off = x - (x0 + t * v0 + 0.5 * t * t * g);
            if (order(entry()) >= 2) { // a start of first order may leave h^2 g behind
                ASSERT_LT(off.norm(), entry().starts_lower ? h * h * g.norm() : 1e-11) << "step " << n;
            }
            if (n == 1 && entry().starts_lower) {
                ASSERT_GT(off.norm(), 1e-3 * h * h * g.norm()) << "its first step is as good as the others";
            }
        }
    }
}

TEST_P(Integrators, KeepLinearMomentumUnlessTheySayOtherwise)
{
    if (!entry().keeps_linear_momentum) GTEST_SKIP() << "says otherwise";
    Problem p = chain();
    const auto integrator = made(entry());
    const Vector& mass = p.dynamics->system().mass.nodal();
    Vec3 linear, linear_start, angular;
    p.dynamics->momenta(p.start, linear_start, angular);
    double scale = 0;
    for (Index i = 0; i < 4; ++i) scale += mass[i] * node(p.start.v, i).norm();

    State now = p.start;
    for (int n = 0; n < 200; ++n) {
        ASSERT_EQ(advance(*p.dynamics, *integrator, now, 0.01).status, StepStatus::ok);
        p.dynamics->momenta(now, linear, angular);
        ASSERT_LT((linear - linear_start).norm(), 1e-10 * scale) << "step " << n;
    }
}

TEST_P(Integrators, KeepAngularMomentumIfTheySaySo)
{
    if (!entry().keeps_angular_momentum) GTEST_SKIP() << "does not say so";
    Problem p = chain();
    const auto integrator = made(entry());
    Vec3 linear, angular, angular_start;
    p.dynamics->momenta(p.start, linear, angular_start);

    State now = p.start;
    for (int n = 0; n < 200; ++n) {
        ASSERT_EQ(advance(*p.dynamics, *integrator, now, 0.05).status, StepStatus::ok);
        p.dynamics->momenta(now, linear, angular);
        ASSERT_LT((angular - angular_start).norm(), 1e-8 * angular_start.norm()) << "step " << n;
    }
}

TEST_P(Integrators, LeaveNoTraceOfARejectedAttempt)
{
    for (const ProblemMaker& make : {ProblemMaker([] { return driven_chain(); }),
             ProblemMaker([] { return chain_with_drag(); }), ProblemMaker(pulsed_chain)}) {
        Problem p = make(), q = make();
        const auto plain = made(entry()), troubled = made(entry());
        State a = p.start, b = q.start, rejected;
        for (int n = 0; n < 12; ++n) {
            const double h = n % 3 == 2 ? 0.02 : 0.01;
            ASSERT_EQ(advance(*p.dynamics, *plain, a, h).status, StepStatus::ok);
            for (const double other : {0.037, 0.004, h}) {
                q.dynamics->begin_step(b, other);
                proposal(*q.dynamics, *troubled, b, other, rejected);
            }
            ASSERT_EQ(advance(*q.dynamics, *troubled, b, h).status, StepStatus::ok);
            ASSERT_TRUE(same_bits(a, b)) << "step " << n;
        }
    }
}

TEST_P(Integrators, RestartWhereTheyWereStopped)
{
    const double h = 0.01;
    for (const ProblemMaker& make : {ProblemMaker([] { return driven_chain(); }),
             ProblemMaker([] { return chain_with_drag(); }), ProblemMaker(pulsed_chain)}) {
        FixedStep controller(h);
        Problem p = make(), q = make();
        const auto left_alone = made(entry()), stopped = made(entry()), resumed = made(entry());

        Simulation whole(*p.dynamics, *left_alone, controller, p.start);
        ASSERT_TRUE(whole.run(20 * h).finished);

        Archive saved;
        {
            Simulation first(*q.dynamics, *stopped, controller, q.start);
            ASSERT_TRUE(first.run(7 * h).finished);
            first.serialize(saved);
        }
        Problem r = make();
        Simulation second(*r.dynamics, *resumed, controller, r.start);
        Archive loaded(saved.bytes());
        second.serialize(loaded);
        EXPECT_TRUE(loaded.at_end());
        EXPECT_EQ(second.steps(), 7);
        ASSERT_TRUE(second.run(20 * h).finished);

        EXPECT_TRUE(same_bits(whole.state(), second.state()));
        EXPECT_EQ(whole.ledger().injected, second.ledger().injected);
        EXPECT_EQ(whole.ledger().dissipated, second.ledger().dissipated);
        EXPECT_EQ(whole.steps(), second.steps());
    }
}

/// The chain under drag with the halving controller: whole steps fail for a while, so two halvings are in force, and
/// are taken back later. Both the method's history and the controller's must survive a stop at any step.
TEST_P(Integrators, RestartAmongHalvedSteps)
{
    struct Halved {
        explicit Halved(const IntegratorEntry& entry)
            : integrator(made(entry))
            , simulation(dynamics, *integrator, controller, problem.start)
        {
            dynamics.refuses = [](const State& now, double h) { return now.t > 0.1 && now.t < 0.2 && h > 0.011; };
            simulation.observe(watch);
        }
        struct Watch final : Observer {
            void step(const StepRecord& r) override
            {
                stop = r.step == last;
                if (r.step > 0) lengths.push_back(r.h);
            }
            long last = -1;
            std::atomic<bool> stop = false;
            std::vector<double> lengths; // [s]
        };
        Problem problem = chain_with_drag();
        FaultyDynamics dynamics{*problem.dynamics};
        std::unique_ptr<Integrator> integrator;
        HalvingStep controller{0.04, {.max_halvings = 4, .recover_after = 3}};
        Watch watch;
        Simulation simulation;
    };
    const double end = 0.6;
    Halved whole(entry());
    ASSERT_TRUE(whole.simulation.run(end).finished);
    const std::vector<double>& lengths = whole.watch.lengths;
    for (const double length : {0.04, 0.02, 0.01}) {
        ASSERT_GE(std::count(lengths.begin(), lengths.end(), length), 2) << length << " s";
    }

    for (long stop = 0; stop < whole.simulation.steps(); ++stop) {
        Halved first(entry()), second(entry());
        first.watch.last = stop;
        ASSERT_TRUE(first.simulation.run(end, &first.watch.stop).interrupted) << "after step " << stop;
        Archive saved;
        first.simulation.serialize(saved);
        Archive loaded(saved.bytes());
        second.simulation.serialize(loaded);
        ASSERT_TRUE(second.simulation.run(end).finished);
        ASSERT_TRUE(same_bits(whole.simulation.state(), second.simulation.state())) << "after step " << stop;
        ASSERT_EQ(whole.simulation.ledger().dissipated, second.simulation.ledger().dissipated);
        ASSERT_EQ(whole.simulation.steps(), second.simulation.steps());
    }
}

TEST_P(Integrators, LeaveScriptedNodesWhereTheScriptSays)
{
    System system = chain_system();
    const State start = chain_start();
    const auto turn = std::make_shared<Rotation>(Vec3(0.5, 0, 0), Vec3(0, 1, 2), 1.7, 0.02, 0.13);
    const auto swing = std::make_shared<Oscillation>(Vec3(0.3, 0.2, -0.1), 0.7);
    const Vec3 X0 = node(start.x, 0), X3 = node(start.x, 3);
    system.prescription.add(0, X0, turn);
    system.prescription.add(3, X3, swing, {true, false, true});
    system.dissipations.push_back(std::make_unique<Drag>(system.mass, 0.3));
    Problem p = problem(std::move(system), start, 0.3);

    const auto integrator = made(entry());
    FixedStep controller(0.01);
    Simulation simulation(*p.dynamics, *integrator, controller, p.start);
    struct Watch final : Observer {
        std::function<void(const State&)> check;
        void step(const StepRecord& r) override { check(r.state); }
    } watch;
    watch.check = [&](const State& s) {
        ASSERT_EQ(Vec3(node(s.x, 0)), turn->position(X0, s.t));
        ASSERT_EQ(Vec3(node(s.v, 0)), turn->velocity(X0, s.t));
        for (const int k : {0, 2}) {
            ASSERT_EQ(s.x[9 + k], swing->position(X3, s.t)[k]);
            ASSERT_EQ(s.v[9 + k], swing->velocity(X3, s.t)[k]);
        }
    };
    simulation.observe(watch);
    const RunResult result = simulation.run(0.3);
    EXPECT_TRUE(result.finished) << result.why;
    EXPECT_EQ(simulation.steps(), 30);
}

/// A chain held at one end and pulled slowly at the other gains what the script puts in.
///
/// What a method of first order creates or destroys on its own is of the order h/2 times the integral of a^T M a, a the
/// accelerations of the free nodes, and does not get below 1e-6 of the work by short steps alone. But the pull may take
/// its time: a falls with the square of the duration T, so the loss is about 50/(N (w T)^2) of the work for N steps and
/// frequencies w. The chain is tight at the start, in balance, so that it has no slow modes: 2 < w < 6 /s. Explicit
/// Euler multiplies the energy of an oscillation by exp((w T)^2/N), which N keeps below 3.
TEST_P(Integrators, BookTheWorkOfASlowScript)
{
    if (!at_defaults()) GTEST_SKIP() << "long, and says nothing of options";
    const double T = 30;
    const double N = 40000;
    System system = chain_system();
    // At rest under a tension of 3.6 N in each spring, so that nothing but the script moves it.
    State start{.t = 0, .x = stacked({{0, 0, 0}, {1.1, 0, 0}, {2.5, 0, 0}, {3.64, 0, 0}}), .v = Vector::Zero(12)};
    system.prescription.add(0, Vec3(node(start.x, 0)), std::make_shared<Rest>());
    system.prescription.add(3, Vec3(node(start.x, 3)),
        std::make_shared<Keyframes>(std::vector<double>{0, T}, std::vector<Vec3>{Vec3::Zero(), Vec3(0.6, 0.2, 0)}));
    Problem p = problem(std::move(system), start, T);

    const auto integrator = made(entry());
    FixedStep controller(T / N);
    Simulation simulation(*p.dynamics, *integrator, controller, p.start);
    ASSERT_TRUE(simulation.run(T).finished);
    const State& end = simulation.state();
    const double gained = energy_of(*p.dynamics, end) - simulation.ledger().initial;
    EXPECT_GT(gained, 2);
    EXPECT_NEAR(simulation.ledger().injected, gained, 1e-6 * gained);
}

/// A tenth more or less than there is: the method that says it aims at the target has more energy under the higher
/// one, and every other method does not look at it.
TEST_P(Integrators, AimAtTheTargetIfTheySaySo)
{
    class Share final : public EnergyTarget {
    public:
        explicit Share(double share)
            : share_(share)
        {
        }
        double first(double H_0) const override { return share_ * H_0; }
        double next(double E, double, double, double gained) const override { return E + gained; }

    private:
        double share_;
    };
    const auto run = [&](double share, double& mean_energy) {
        Problem p = chain();
        const Share target(share);
        const auto integrator = made(entry());
        FixedStep controller(0.01);
        Simulation simulation(*p.dynamics, *integrator, controller, p.start, &target);
        struct Watch final : Observer {
            double sum = 0;
            long steps = 0;
            void step(const StepRecord& r) override
            {
                sum += r.total();
                ++steps;
                all_alphas = all_alphas && (r.step == 0 || std::isfinite(r.outcome.alpha));
            }
            bool all_alphas = true;
        } watch;
        simulation.observe(watch);
        EXPECT_TRUE(simulation.run(2.0).finished);
        EXPECT_TRUE(watch.all_alphas || !entry().aims_at_target) << "alpha is for the record";
        mean_energy = watch.sum / static_cast<double>(watch.steps);
        return simulation.state();
    };
    double low = 0, high = 0;
    const State a = run(0.9, low), b = run(1.1, high);
    if (entry().aims_at_target)
        EXPECT_LT(low, high);
    else
        EXPECT_TRUE(same_bits(a, b));
}

TEST_P(Integrators, NeverProposeWhatIsNotFinite)
{
    Problem p = chain();
    FaultyDynamics dynamics(*p.dynamics);
    const auto integrator = made(entry());
    State now = p.start, next;
    for (int n = 0; n < 3; ++n) ASSERT_EQ(advance(dynamics, *integrator, now, 0.01).status, StepStatus::ok);
    dynamics.poisoned = true;
    dynamics.begin_step(now, 0.01);
    EXPECT_NE(proposal(dynamics, *integrator, now, 0.01, next).status, StepStatus::ok);
}

TEST_P(Integrators, PassOnAFailedSolve)
{
    Problem p = chain();
    FaultyDynamics dynamics(*p.dynamics);
    dynamics.unsolvable = true;
    const auto integrator = made(entry());
    State next;
    dynamics.begin_step(p.start, 0.01);
    const StepOutcome outcome = proposal(dynamics, *integrator, p.start, 0.01, next);
    if (entry().is_explicit) {
        EXPECT_EQ(dynamics.solves, 0);
        EXPECT_EQ(outcome.status, StepStatus::ok);
    } else {
        EXPECT_GT(dynamics.solves, 0);
        EXPECT_EQ(outcome.status, StepStatus::solve_failed);
        EXPECT_EQ(outcome.solve.reason, StopReason::iteration_limit);
        EXPECT_GT(outcome.solve.iterations, 0);
    }
}

/// The end point was solved for or asked for, and a way that is asked for begins where one is. Where every way is
/// refused a step fails, or it ends at a point that was solved for.
TEST_P(Integrators, AskBeforeTheyGoWhereNothingWasSolved)
{
    Problem p = chain();
    FaultyDynamics dynamics(*p.dynamics);
    const auto attempt = [&](State& next) {
        const auto integrator = made(entry());
        dynamics.begin_step(p.start, 0.01);
        return proposal(dynamics, *integrator, p.start, 0.01, next).status;
    };
    State next;
    ASSERT_EQ(attempt(next), StepStatus::ok);
    EXPECT_EQ(dynamics.unfounded, 0) << "a way must begin at the start, at a stage solution, or at a point asked about";
    EXPECT_TRUE(dynamics.asked(next.x) || dynamics.solved(next.x));

    dynamics.forbidden = true;
    const StepStatus refused = attempt(next);
    EXPECT_TRUE(refused == StepStatus::inadmissible || (refused == StepStatus::ok && dynamics.solved(next.x)));
}

/// What the test above relies on: a question that cannot be answered with no is found out.
TEST(FaultyDynamics, CountsQuestionsAboutAWayFromNowhere)
{
    Problem p = chain();
    FaultyDynamics dynamics(*p.dynamics);
    dynamics.begin_step(p.start, 0.01);
    const Vector& x = p.start.x;
    const Vector y = x + 0.01 * p.start.v, z = x + 0.02 * p.start.v;
    EXPECT_TRUE(dynamics.admissible(0.01, x, y));
    EXPECT_TRUE(dynamics.admissible(0.01, y, z));
    EXPECT_EQ(dynamics.unfounded, 0);
    dynamics.begin_step(p.start, 0.01);
    EXPECT_TRUE(dynamics.admissible(0.01, y, y));
    EXPECT_EQ(dynamics.unfounded, 1);
}

/// Steps a hundred times longer than the shortest period: some methods blow up, and then the run ends by itself.
TEST_P(Integrators, ShowObserversOnlyFiniteNumbers)
{
    Problem p = chain();
    const auto integrator = made(entry());
    FixedStep controller(100.0);
    Simulation simulation(*p.dynamics, *integrator, controller, p.start);
    struct Watch final : Observer {
        void step(const StepRecord& r) override
        {
            ASSERT_TRUE(r.state.finite());
            ASSERT_TRUE(std::isfinite(r.total()));
            ASSERT_TRUE(std::isfinite(r.ledger.balance()));
            ASSERT_TRUE(r.linear_momentum.allFinite() && r.angular_momentum.allFinite());
        }
    } watch;
    simulation.observe(watch);
    const RunResult result = simulation.run(100.0 * 400);
    EXPECT_NE(result.finished, !result.why.empty());
    if (entry().is_explicit) {
        EXPECT_FALSE(result.finished) << "no explicit method survives such steps";
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, Integrators, testing::ValuesIn(default_settings()), test_name);
INSTANTIATE_TEST_SUITE_P(Settings, Integrators, testing::ValuesIn(further_settings()), test_name);

} // namespace

} // namespace rubato::small
