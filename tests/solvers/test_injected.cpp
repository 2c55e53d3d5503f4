#include "contracts/small_systems.hpp"

#include <gtest/gtest.h>

/// Work of scripts and of time where a step does not resolve the motion, and what of a descent is no step.
namespace rubato::small {
namespace {

/// A gram on a spring whose other end moves on at 1 m/s: it follows, and the work is next to nothing.
Problem pulled(double stiffness)
{
    System system;
    system.mass = Mass(Vector(Vector::Constant(1, 1e-3)));
    const State start{.t = 0, .x = stacked({{0, 0, 0}}), .v = stacked({{0, 0, 0}})};
    system.potentials.push_back(std::make_unique<Attachments>(
        std::vector<Attachment>{{0, stiffness, Vec3::Zero(), std::make_shared<Translation>(Vec3(1, 0, 0), 0, 1e9)}}));
    return problem(std::move(system), start, 0.1);
}

TEST(Injected, ByAStiffSpringThatAStepDoesNotResolveIsNoMoreThanItsMotionNeeds)
{
    for (const double stiffness : {1e4, 1e6}) {
        Problem p = pulled(stiffness);
        const auto integrator = made(integrator_named("implicit-euler"));
        FixedStep controller(0.01);
        Simulation simulation(*p.dynamics, *integrator, controller, p.start);
        ASSERT_TRUE(simulation.run(0.1).finished);
        EXPECT_NEAR(simulation.state().v[0], 1, 1e-2);
        // m V^2: half of it is motion, half is lost where it starts with a jerk
        EXPECT_NEAR(simulation.ledger().injected, 1e-3, 0.2e-3) << stiffness;
    }
}

/// The trapezoidal rule swings about such an end for ever; what it has and what came in stay the same.
TEST(Injected, ByAStiffSpringClosesTheBalanceOfTheTrapezoidalRule)
{
    Problem p = pulled(1e6);
    const auto integrator = made(integrator_named("trapezoidal"));
    FixedStep controller(0.01);
    Simulation simulation(*p.dynamics, *integrator, controller, p.start);
    for (int n = 1; n <= 20; ++n) {
        ASSERT_TRUE(simulation.run(n * 0.01).finished);
        const State& s = simulation.state();
        const double energy = energy_of(*p.dynamics, s);
        ASSERT_NEAR(simulation.ledger().balance(), energy, 1e-6) << "step " << n;
    }
}

/// A scripted corner of a tetrahedron, and velocities of the others that throw them through it half-way: there P is not
/// defined, and the rule does without the middle.
TEST(Injected, IsKnownWhereTheMiddleOfTheWayIsNot)
{
    Problem p = tetrahedra_with_damping(0);
    System& system = p.dynamics->system();
    system.prescription.add(0, node(p.start.x, 0), std::make_shared<Translation>(Vec3(-1, 0, 0), 0, 1e9));
    system.prescription.finish(system.unknowns());
    State before = p.start, after = p.start;
    after.t = 0.01;
    before.v.setZero();
    after.v.setZero();
    p.dynamics->prescribe(before);
    p.dynamics->prescribe(after);
    const auto work = [&](double thrown) {
        for (Index i = 1; i < 5; ++i) {
            node(before.v, i) = Vec3(-thrown * i, thrown, 0);
            node(after.v, i) = Vec3(thrown * i, -thrown, 0);
        }
        p.dynamics->begin_step(before, 0.01);
        return p.dynamics->injected(before, after);
    };
    const double calm = work(0), thrown = work(1e5);
    ASSERT_TRUE(std::isfinite(thrown));
    EXPECT_GT(std::abs(calm), 0.01);
    EXPECT_NEAR(thrown, calm, 0.1 * std::abs(calm));
}

/// A force with a profile does work and is nothing else: it leaves no jump in the energy where it begins, however far
/// the body has gone until then. A constant one has a potential.
TEST(Injected, ByAForceFromOutsideLeavesNoEnergyBehind)
{
    const auto with_force = [](std::shared_ptr<const ForceProfile> profile) {
        System system;
        system.mass = Mass(Vector(Vector::Constant(1, 2.0)));
        const State start{.t = 0, .x = stacked({{0, 0, 0}}), .v = stacked({{3, 0, 0}})};
        system.potentials.push_back(std::make_unique<NodalForce>(
            std::vector<Index>{0}, std::vector<Vec3>{{5, 0, 0}}, start.x, std::move(profile)));
        return problem(std::move(system), start, 1.0);
    };
    Problem p = with_force(std::make_shared<Pulse>(0.5, 0.7)), q = with_force(nullptr);
    const Vector far = stacked({{1.5, 0, 0}});
    EXPECT_EQ(p.dynamics->potential_energy(0.5, far).total(), 0);
    EXPECT_EQ(q.dynamics->potential_energy(0.5, far).total(), -7.5);

    const auto integrator = made(integrator_named("trapezoidal"));
    FixedStep controller(0.1);
    Simulation simulation(*p.dynamics, *integrator, controller, p.start);
    double most = 0;
    for (int n = 1; n <= 10; ++n) {
        ASSERT_TRUE(simulation.run(n * 0.1).finished);
        most = std::max(most, simulation.ledger().balance());
    }
    const double end = p.dynamics->kinetic_energy(simulation.state().v);
    EXPECT_NEAR(end, 0.5 * 2 * 3.5 * 3.5, 1e-9); // 1 N s
    EXPECT_NEAR(most, end, 1e-9);
}

/// A search for v' asks often about one way: only the middle is new.
TEST(Injected, DoesNotDependOnWhatWasAskedBefore)
{
    Problem p = driven_chain(), q = driven_chain();
    State before = p.start, after = p.start;
    after.t = 0.02;
    node(after.x, 1) += Vec3(0.01, -0.02, 0.005);
    p.dynamics->prescribe(after);
    State faster = after, other = after;
    node(faster.v, 1) += Vec3(3, 1, 2);
    node(other.x, 1) += Vec3(0.1, 0, 0);
    for (Problem* each : {&p, &q}) each->dynamics->begin_step(before, 0.02);
    p.dynamics->injected(before, after);
    p.dynamics->injected(before, other);
    EXPECT_EQ(p.dynamics->injected(before, faster), q.dynamics->injected(before, faster));
    EXPECT_NE(q.dynamics->injected(before, faster), q.dynamics->injected(before, after));
    EXPECT_NE(q.dynamics->injected(before, other), q.dynamics->injected(before, after));
}

/// 1 N for a millisecond, on a spring of 100 N/m. It is looked for where this force holds the spring, however long a
/// step of the descent is.
TEST(Settling, SeesForcesInTimeAsTheyAreAtTheStart)
{
    System system;
    system.mass = Mass(Vector(Vector::Constant(1, 1.0)));
    const State start{.t = 0, .x = stacked({{0, 0, 0}}), .v = stacked({{0, 0, 0}})};
    system.potentials.push_back(std::make_unique<Attachments>(
        std::vector<Attachment>{{0, 100.0, Vec3::Zero(), std::make_shared<Translation>(Vec3::Zero(), 0, 1e9)}}));
    system.potentials.push_back(std::make_unique<NodalForce>(
        std::vector<Index>{0}, std::vector<Vec3>{{1, 0, 0}}, start.x, std::make_shared<Pulse>(0, 1e-3)));
    Problem p = problem(std::move(system), start, 1.0);
    const Settling settled = p.dynamics->settle(p.start, {.acceleration = 1, .size = 0.1, .reach = 1});
    EXPECT_EQ(settled.end, Settling::End::resting);
    EXPECT_NEAR(settled.x[0], 0.01, 1e-3);
}

} // namespace
} // namespace rubato::small
