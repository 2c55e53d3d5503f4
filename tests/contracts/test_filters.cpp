#include "contracts/faulty_dynamics.hpp"
#include "contracts/over_integrators.hpp"
#include "contracts/small_systems.hpp"
#include "control/halving.hpp"

/// What every integrator keeps where velocities or forces change between steps: a velocity filter, a parameter.
namespace rubato::small {

namespace {

/// Takes the same share of every velocity in each step.
class Slowing final : public VelocityFilter {
public:
    explicit Slowing(double share)
        : share_(share)
    {
    }
    void apply(const State&, State& after, double) override { after.v *= 1 - share_; }

private:
    double share_;
};

/// Stops everything in the one step that a time falls into.
class StopAt final : public VelocityFilter {
public:
    explicit StopAt(double t) ///< [s]
        : t_(t)
    {
    }
    void apply(const State& before, State& after, double) override
    {
        if (before.t < t_ && t_ <= after.t) after.v.setZero();
    }

private:
    double t_;
};

/// Three nodes that fly on their own, through air if there is drag, beside one that a script swings.
Problem flying(std::unique_ptr<VelocityFilter> filter, double drag = 0)
{
    System system;
    Vector mass(4);
    mass << 1.0, 0.7, 1.3, 0.9;
    system.mass = Mass(mass);
    const State start = chain_start();
    system.prescription.add(0, node(start.x, 0), std::make_shared<Oscillation>(Vec3(0.3, 0.2, -0.1), 0.7));
    if (drag > 0) system.dissipations.push_back(std::make_unique<Drag>(system.mass, drag));
    system.filters.push_back(std::move(filter));
    return problem(std::move(system), start, 1.0);
}

/// A chain in which all that depends on time takes part, slowed.
Problem slowed_chain()
{
    Problem p = driven_chain(0.5);
    p.dynamics->system().filters.push_back(std::make_unique<Slowing>(0.02));
    return p;
}

double total(Dynamics& dynamics, const Simulation& run) { return energy_of(dynamics, run.state()); }

class Filters : public OverIntegrators { };

/// Without word of the jump BDF2 would keep 0.2215 of the speed instead of 0.3660.
TEST_P(Filters, SlowAFlightByWhatTheyTake)
{
    const double share = 0.01, h = 0.01;
    Problem p = flying(std::make_unique<Slowing>(share));
    const auto integrator = made(entry());
    FixedStep controller(h);
    Simulation run(*p.dynamics, *integrator, controller, p.start);
    const double energy = total(*p.dynamics, run);
    for (int n = 1; n <= 100; ++n) {
        const State before = run.state();
        ASSERT_TRUE(run.run(n * h).finished);
        const double left = std::pow(1 - share, n);
        for (Index i = 1; i < 4; ++i) {
            ASSERT_LT((node(run.state().v, i) - left * node(p.start.v, i)).norm(), 1e-10) << "step " << n;
            const Vec3 way = node(run.state().x, i) - node(before.x, i);
            ASSERT_LT((way - h * node(before.v, i)).norm(), 1e-12) << "step " << n;
        }
        State script = run.state();
        p.dynamics->prescribe(script);
        ASSERT_TRUE(same_bits(script, run.state())) << "a scripted node was slowed";
        const EnergyLedger& ledger = run.ledger();
        ASSERT_NEAR(total(*p.dynamics, run) + ledger.dissipated - ledger.injected, energy, 1e-13 * n) << "step " << n;
        ASSERT_NEAR(ledger.target, ledger.balance(), 1e-13 * n);
    }
    EXPECT_GT(run.ledger().dissipated, 0.5 * (p.dynamics->kinetic_energy(p.start.v) - 1));
}

TEST_P(Filters, LeaveWhatTheyStoppedWhereItIs)
{
    const double h = 0.01;
    Problem p = flying(std::make_unique<StopAt>(6.5 * h));
    const auto integrator = made(entry());
    FixedStep controller(h);
    Simulation run(*p.dynamics, *integrator, controller, p.start);
    ASSERT_TRUE(run.run(7 * h).finished);
    const State stopped = run.state();
    ASSERT_GT((stopped.x - p.start.x).norm(), 0.05);
    ASSERT_TRUE(run.run(20 * h).finished);
    for (Index i = 1; i < 4; ++i) {
        EXPECT_LT(node(run.state().v, i).norm(), 1e-11);
        EXPECT_LT((node(run.state().x, i) - node(stopped.x, i)).norm(), 1e-12);
    }
}

TEST_P(Filters, RestartWhereTheyWereStopped)
{
    const double h = 0.01;
    FixedStep controller(h);
    Problem p = slowed_chain(), q = slowed_chain(), r = slowed_chain();
    const auto left_alone = made(entry()), stopped = made(entry()), resumed = made(entry());
    Simulation whole(*p.dynamics, *left_alone, controller, p.start);
    ASSERT_TRUE(whole.run(20 * h).finished);
    EXPECT_GT(whole.ledger().dissipated, 0);

    Archive saved;
    Simulation first(*q.dynamics, *stopped, controller, q.start);
    ASSERT_TRUE(first.run(7 * h).finished);
    first.serialize(saved);
    Simulation second(*r.dynamics, *resumed, controller, r.start);
    Archive loaded(saved.bytes());
    second.serialize(loaded);
    ASSERT_TRUE(second.run(20 * h).finished);
    EXPECT_TRUE(same_bits(whole.state(), second.state()));
    EXPECT_EQ(whole.ledger().dissipated, second.ledger().dissipated);
}

/// Every step of twice the length is refused, once at each point of its grid.
TEST_P(Filters, LeaveNoTraceOfARejectedAttempt)
{
    const double h = 1.0 / 128;
    Problem p = slowed_chain(), q = slowed_chain();
    const auto plain = made(entry()), troubled = made(entry());
    FixedStep fixed(h);
    Simulation whole(*p.dynamics, *plain, fixed, p.start);
    ASSERT_TRUE(whole.run(16 * h).finished);

    int refused = 0;
    FaultyDynamics dynamics(*q.dynamics);
    dynamics.refuses = [&](const State&, double length) { return length > 1.5 * h && ++refused > 0; };
    HalvingStep halving(2 * h, {.max_halvings = 2, .recover_after = 1});
    Simulation again(dynamics, *troubled, halving, q.start);
    ASSERT_TRUE(again.run(16 * h).finished);
    EXPECT_EQ(refused, 8);
    EXPECT_TRUE(same_bits(whole.state(), again.state()));
    EXPECT_EQ(whole.ledger().dissipated, again.ledger().dissipated);
}

/// Gravity changes between two steps. BDF2 (which starts lower) remembers no force: the velocity that it remembers has
/// the old one.
TEST_P(Filters, HearThatForcesHaveChanged)
{
    if (entry().starts_lower) GTEST_SKIP() << "remembers no force";
    const double h = 0.05;
    const Vec3 before(0.3, -9.81, 0.2), after(-2, 4, 1);
    Problem p = free_fall(before), q = free_fall(after);
    const auto integrator = made(entry());
    State now = p.start;
    for (int n = 0; n < 3; ++n) ASSERT_EQ(advance(*p.dynamics, *integrator, now, h).status, StepStatus::ok);
    Vector da(9);
    for (Index i = 0; i < 3; ++i) node(da, i) = after - before;
    integrator->jumped({}, da);
    for (int n = 0; n < 2; ++n) {
        const State last = now;
        ASSERT_EQ(advance(*q.dynamics, *integrator, now, h).status, StepStatus::ok);
        for (Index i = 0; i < 3; ++i) {
            EXPECT_LT((node(now.v, i) - node(last.v, i) - h * after).norm(), 1e-11) << "step " << n;
        }
    }
}

/// But for A-1's damped start, which is the start of a run.
TEST_P(Filters, AMethodThatIsRestartedStepsAsOneThatIsNew)
{
    const IntegratorEntry fresh = GetParam().label == "damped_start" ? integrator_named("a-1") : entry();
    Problem p = chain_with_drag();
    const auto used = made(entry()), fresh_one = made(fresh), loaded_one = made(entry());
    State now = p.start;
    for (int n = 0; n < 5; ++n) ASSERT_EQ(advance(*p.dynamics, *used, now, 0.01).status, StepStatus::ok);
    used->restart();
    Archive saved;
    used->serialize(saved);
    Archive loading(saved.bytes());
    loaded_one->serialize(loading);
    State a = now, b = now, c = now;
    for (int n = 0; n < 4; ++n) {
        ASSERT_EQ(advance(*p.dynamics, *used, a, 0.01).status, StepStatus::ok);
        ASSERT_EQ(advance(*p.dynamics, *fresh_one, b, 0.01).status, StepStatus::ok);
        ASSERT_EQ(advance(*p.dynamics, *loaded_one, c, 0.01).status, StepStatus::ok);
        ASSERT_TRUE(same_bits(a, b)) << "step " << n;
        ASSERT_TRUE(same_bits(a, c)) << "step " << n;
    }
}

/// A step that is longer than the last by nearly as much as a method allows goes on with its history: the end is that
/// of a step of second order, while one that is longer still starts anew.
TEST_P(Filters, SayHowMuchLongerAStepMayBe)
{
    const double most = made(entry())->most_growth();
    if (!std::isfinite(most)) GTEST_SKIP() << "any step may follow any";
    const auto same_as_new = [&](double growth) {
        Problem p = chain();
        const auto used = made(entry()), fresh = made(entry());
        State now = p.start;
        for (int n = 0; n < 3; ++n) {
            if (advance(*p.dynamics, *used, now, 0.01).status != StepStatus::ok) ADD_FAILURE();
        }
        State a = now, b = now;
        advance(*p.dynamics, *used, a, growth * 0.01);
        advance(*p.dynamics, *fresh, b, growth * 0.01);
        return same_bits(a, b);
    };
    EXPECT_FALSE(same_as_new(0.999 * most));
    EXPECT_TRUE(same_as_new(1.001 * most));
}

/// What drag takes in a step is the loss of kinetic energy from the velocity that filters left to the one at its end:
/// without forces the sum is exact, but for the first step, which has no velocity before it.
TEST(FiltersUnderDrag, LeaveTheBooksOfImpulsesExact)
{
    for (const char* method : {"a-1", "a-search", "a-search-sparse"}) {
        Problem p = flying(std::make_unique<Slowing>(0.05), 0.8);
        const auto integrator = made(integrator_named(method));
        FixedStep controller(0.02);
        Simulation run(*p.dynamics, *integrator, controller, p.start);
        const auto balance = [&] { return total(*p.dynamics, run) + run.ledger().dissipated - run.ledger().injected; };
        ASSERT_TRUE(run.run(0.02).finished);
        const double energy = balance();
        ASSERT_TRUE(run.run(0.6).finished);
        EXPECT_NEAR(balance(), energy, 1e-12) << method;
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, Filters, testing::ValuesIn(default_settings()), test_name);
INSTANTIATE_TEST_SUITE_P(Settings, Filters, testing::ValuesIn(further_settings()), test_name);

} // namespace

} // namespace rubato::small
