#include "contracts/over_integrators.hpp"
#include "contracts/small_systems.hpp"
#include "scene/motion_catalog.hpp"

#include <set>

/// What every integrator in the catalog books: injected and dissipated energy, whatever the step.
namespace rubato::small {

namespace {

class Booking : public OverIntegrators {
protected:
    /// Takes steps of length h and returns the dissipated energy, which must never fall or exceed `had` [J]. A method
    /// that the step is too long for may fail.
    double dissipated(Problem& p, double h, int steps, double had)
    {
        const auto integrator = made(entry());
        FixedStep controller(h);
        Simulation simulation(*p.dynamics, *integrator, controller, p.start);
        for (int n = 1; n <= steps; ++n) {
            const double before = simulation.ledger().dissipated;
            if (!simulation.run(n * h).finished) break;
            const double after = simulation.ledger().dissipated;
            EXPECT_GE(after, before) << "step " << n;
            EXPECT_LE(after, had * (1 + 1e-9)) << "step " << n;
            EXPECT_EQ(simulation.ledger().injected, 0);
            if (HasFailure()) break;
        }
        return simulation.ledger().dissipated;
    }
};

/// h times the rate of damping from far below to far above one. No energy is below nothing here.
TEST_P(Booking, NeverTakesMoreThanAPassiveSystemHad)
{
    const double h = 0.05;
    for (double product = 1e-3; product < 3e3; product *= 10) {
        SCOPED_TRACE(testing::Message() << "h times rate " << product);
        Problem drag = chain_with_drag(product / h);
        dissipated(drag, h, 40, energy_of(*drag.dynamics, drag.start));
        Problem rayleigh = tetrahedra_with_damping(product / (h * 30)); // 30/s^2: squared frequency of the tetrahedra
        dissipated(rayleigh, h, 40, energy_of(*rayleigh.dynamics, rayleigh.start));
        if (HasFailure()) return;
    }
}

/// The energy of flight is not there for damping to take, however little the vibration has in comparison. Bound: what
/// the vibration has, and half as much for what methods create of their own before damping takes it.
TEST_P(Booking, TakesOnlyWhatTheVibrationOfAFlyingBodyHas)
{
    if (entry().is_explicit) GTEST_SKIP() << "unstable at such steps";
    if (entry().name == "newmark" && !at_defaults()) GTEST_SKIP() << "books the balance; its page says so";
    const double h = 0.05, speed = 300;
    for (double product = 1e-3; product < 3e3; product *= 10) {
        SCOPED_TRACE(testing::Message() << "h times rate " << product);
        Problem p = flying_pair(product / (h * 400), speed); // 400/s^2: squared frequency of the pair
        const double flight = 0.5 * speed * speed; // of a kilogram in all
        EXPECT_LE(dissipated(p, h, 40, flight), 1.5 * (energy_of(*p.dynamics, p.start) - flight));
        if (HasFailure()) return;
    }
}

/// Under drag alone, and a step that resolves it, all that is lost is booked.
TEST_P(Booking, TakesAllThatDragTakes)
{
    Problem p = chain_with_drag(8);
    const double h = 1e-3, energy = energy_of(*p.dynamics, p.start);
    const double taken = dissipated(p, h, 3000, energy);
    EXPECT_NEAR(taken, energy, 0.05 * energy);
}

std::unique_ptr<Potential> pulse_on(Index i, const Vec3& force, const Vector& X, double begin, double end)
{
    const auto& catalog = force_profile_catalog();
    const auto pulse = std::find_if(catalog.begin(), catalog.end(), [](const auto& e) { return e.name == "pulse"; });
    Options options;
    options.set("begin", begin);
    options.set("end", end);
    return std::make_unique<NodalForce>(std::vector<Index>{i}, std::vector<Vec3>{force}, X, pulse->make(options));
}

/// A pulse within a step, one over several, one whose ends are those of steps, and those of a start. Methods that keep
/// momentum give the whole impulse, also those that steer the energy of a step: a free body gets what was booked.
TEST_P(Booking, GivesTheImpulseOfAPulseHoweverShort)
{
    if (!entry().keeps_linear_momentum) GTEST_SKIP() << "does not keep momentum";
    const double h = 0.01;
    const struct {
        double begin, end; // [s]
    } pulses[] = {{0.0331, 0.0332}, {0.0301, 0.0399}, {0.0217, 0.0683}, {0.03, 0.05}, {0, 0.001}, {0, 0.05}};
    for (const auto& [begin, end] : pulses) {
        if (begin == 0 && entry().starts_lower) continue; // Bdf2.GivesMoreThanTheImpulseOfAPulseAtTheStart
        SCOPED_TRACE(testing::Message() << begin << " to " << end << " s");
        System system;
        system.mass = Mass(Vector(Vector::Constant(1, 2.0)));
        State start{.t = 0, .x = stacked({{0, 0, 0}}), .v = stacked({{0, 3, 0}})};
        const Vec3 force = Vec3(1, 0, 0) / (end - begin); // 1 N s
        system.potentials.push_back(pulse_on(0, force, start.x, begin, end));
        Problem p = problem(std::move(system), start, 0.1);
        const auto integrator = made(entry());
        FixedStep controller(h);
        Simulation simulation(*p.dynamics, *integrator, controller, p.start);
        ASSERT_TRUE(simulation.run(entry().starts_lower ? 1.0 : 0.2).finished);
        const Vec3 impulse = 2.0 * (Vec3(node(simulation.state().v, 0)) - Vec3(0, 3, 0));
        EXPECT_LT((impulse - Vec3(1, 0, 0)).norm(), 1e-9) << impulse.transpose();
    }
}

/// The same where the steps after that of the pulse are longer or shorter.
TEST_P(Booking, GivesTheImpulseOfAPulseBeforeTheStepChanges)
{
    if (!entry().keeps_linear_momentum || entry().aims_at_target) GTEST_SKIP() << "does not keep momentum";
    if (entry().starts_lower) GTEST_SKIP() << "its history holds velocities";
    for (const double later : {0.02, 0.005}) {
        System system;
        system.mass = Mass(Vector(Vector::Constant(1, 2.0)));
        State now{.t = 0, .x = stacked({{0, 0, 0}}), .v = stacked({{0, 3, 0}})};
        system.potentials.push_back(pulse_on(0, Vec3(1e3, 0, 0), now.x, 0.031, 0.032));
        Problem p = problem(std::move(system), now, 0.1);
        const auto integrator = made(entry());
        for (int n = 0; n < 12; ++n) {
            ASSERT_EQ(advance(*p.dynamics, *integrator, now, n < 4 ? 0.01 : later).status, StepStatus::ok);
        }
        EXPECT_NEAR(2.0 * now.v[0], 1, 1e-9) << "then steps of " << later << " s";
    }
}

/// What a pulse does to a free body is its work, for a body at rest as well, where it is quadratic in the impulse: the
/// balance knows it under every method that gives the impulse within the step.
TEST_P(Booking, BooksTheWorkOfAPulseHoweverShort)
{
    if (!entry().keeps_linear_momentum) GTEST_SKIP() << "does not keep momentum";
    if (entry().starts_lower) GTEST_SKIP() << "gives the impulse over several steps";
    for (const double speed : {0.0, 5.0}) {
        for (const double begin : {0.0, 0.0331}) {
            System system;
            system.mass = Mass(Vector(Vector::Constant(1, 2.0)));
            State start{.t = 0, .x = stacked({{0, 0, 0}}), .v = stacked({{speed, 3, 0}})};
            system.potentials.push_back(pulse_on(0, Vec3(1e4, 0, 0), start.x, begin, begin + 1e-4));
            Problem p = problem(std::move(system), start, 0.1);
            const auto integrator = made(entry());
            FixedStep controller(0.01);
            Simulation simulation(*p.dynamics, *integrator, controller, p.start);
            ASSERT_TRUE(simulation.run(0.1).finished);
            const double gained
                = p.dynamics->kinetic_energy(simulation.state().v) - p.dynamics->kinetic_energy(start.v);
            EXPECT_NEAR(gained, speed + 0.25, 1e-9); // 1 N s: J v + J^2/(2 m)
            EXPECT_NEAR(simulation.ledger().injected, gained, 1e-9) << "from " << begin << " s";
        }
    }
}

/// A pulse on bodies that vibrate: what comes in less what the motion shows is an error of first order at the worst,
/// not the work that the switched force would do from one end of the motion to the other (some joules).
TEST_P(Booking, ClosesTheBalanceOverASwitchedForce)
{
    const auto off_balance = [&](long steps) {
        System system = chain_system();
        const State start = chain_start();
        system.potentials.push_back(pulse_on(2, Vec3(3, -2, 1), start.x, 0.2718, 0.5772));
        Problem p = problem(std::move(system), start, 1.0);
        const auto integrator = made(entry());
        FixedStep controller(1.0 / static_cast<double>(steps));
        Simulation simulation(*p.dynamics, *integrator, controller, p.start);
        EXPECT_TRUE(simulation.run(1.0).finished);
        const State& end = simulation.state();
        const double energy = energy_of(*p.dynamics, end);
        return std::abs(energy - simulation.ledger().balance()) - entry().near_enough * std::abs(energy);
    };
    for (const long steps : {200L, 800L}) EXPECT_LT(off_balance(steps), 100.0 / static_cast<double>(steps)) << steps;
}

/// A new option is tried with a value that is not its default: add a line to integrator_settings.hpp.
TEST(IntegratorSettings, TryEveryOptionAwayFromItsDefault)
{
    std::set<std::string> tried;
    for (const detail::Line& line : detail::lines()) {
        const IntegratorEntry& entry = integrator_named(line.integrator);
        for (const OptionSpec& spec : entry.options) {
            const auto value = line.values.find(spec.name);
            if (value != line.values.end() && value->second != spec.fallback)
                tried.insert(entry.name + "." + spec.name);
        }
    }
    for (const IntegratorEntry& entry : integrator_catalog()) {
        for (const OptionSpec& spec : entry.options) {
            EXPECT_TRUE(tried.count(entry.name + "." + spec.name) > 0)
                << entry.name << "." << spec.name << " is tried with its default only; see integrator_settings.hpp";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, Booking, testing::ValuesIn(default_settings()), test_name);
INSTANTIATE_TEST_SUITE_P(Settings, Booking, testing::ValuesIn(further_settings()), test_name);

} // namespace

} // namespace rubato::small
