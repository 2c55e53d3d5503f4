#include "contracts/small_systems.hpp"
#include "integrators/dirk.hpp"
#include "integrators/newmark.hpp"
#include "integrators/theta_method.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <numbers>

/// Each classical method against its own formula on problems where every step has a closed form.
namespace rubato {

namespace {

using Complex = std::complex<double>;
using small::advance;
using small::Problem;

std::unique_ptr<Integrator> method(const std::string& name)
{
    for (const IntegratorEntry& entry : integrator_catalog()) {
        if (entry.name == name) return small::made(entry);
    }
    throw std::logic_error("no integrator " + name);
}

/// A particle of mass 1 on a spring of stiffness omega^2 tied to the origin, with drag.
Problem oscillator(double omega, double drag = 0)
{
    System system;
    system.mass = Mass(Vector::Constant(1, 1.0));
    system.potentials.push_back(std::make_unique<Attachments>(
        std::vector<Attachment>{{0, omega * omega, Vec3::Zero(), std::make_shared<Rest>()}}));
    if (drag > 0) system.dissipations.push_back(std::make_unique<Drag>(system.mass, drag));
    const State start{.t = 0, .x = Vec3(0.7, -0.4, 0.1), .v = Vec3(0.3, 0.9, -2)};
    return small::problem(std::move(system), start, 1.0);
}

/// u = x - i v/omega turns x'' = -omega^2 x into u' = i omega u, on which a Runge-Kutta method multiplies by R(i h
/// omega).
TEST(ClosedForms, RungeKuttaMethodsMultiplyByTheirStabilityFunction)
{
    const double omega = 3, h = 0.4, d = 1 - 1 / std::numbers::sqrt2;
    const Complex z(0, h * omega);
    const auto L_stable = (1.0 + (1 - 2 * d) * z) / ((1.0 - d * z) * (1.0 - d * z));
    const double g = (3 + std::numbers::sqrt3) / 6;
    const struct {
        const char* name;
        Complex R;
    } cases[] = {
        {"forward-euler", 1.0 + z},
        {"rk4", 1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0},
        {"implicit-euler", 1.0 / (1.0 - z)},
        {"implicit-midpoint", (1.0 + z / 2.0) / (1.0 - z / 2.0)},
        {"trapezoidal", (1.0 + z / 2.0) / (1.0 - z / 2.0)},
        {"sdirk2", L_stable},
        {"tr-bdf2", L_stable},
        {"dirk", (1.0 + (1 - 2 * g) * z + (0.5 - 2 * g + g * g) * z * z) / ((1.0 - g * z) * (1.0 - g * z))},
    };
    for (const auto& [name, R] : cases) {
        Problem p = oscillator(omega);
        const auto integrator = method(name);
        State now = p.start;
        Complex u(now.x[0], -now.v[0] / omega);
        for (int n = 0; n < 20; ++n) {
            ASSERT_EQ(advance(*p.dynamics, *integrator, now, h).status, StepStatus::ok);
            u *= R;
            ASSERT_NEAR(now.x[0], u.real(), 1e-11 * std::abs(u)) << name << " step " << n;
            ASSERT_NEAR(now.v[0], -omega * u.imag(), 1e-11 * omega * std::abs(u)) << name << " step " << n;
        }
    }
}

TEST(ClosedForms, Bdf2FollowsItsRecurrence)
{
    const double omega = 3, h = 0.1;
    Problem p = oscillator(omega);
    const auto integrator = method("bdf2");
    State now = p.start;
    Complex old(now.x[0], -now.v[0] / omega);
    Complex u = old / (1.0 - Complex(0, h * omega)); // starts with implicit Euler
    double h_old = h;
    for (int n = 0; n < 20; ++n) {
        const double step = n == 0 ? h : n % 2 == 0 ? 0.05 : 0.1;
        ASSERT_EQ(advance(*p.dynamics, *integrator, now, step).status, StepStatus::ok);
        if (n > 0) {
            const double w = step / h_old;
            const Complex next
                = ((1 + w) * (1 + w) * u - w * w * old) / (1 + 2 * w - (1 + w) * Complex(0, step * omega));
            old = u;
            u = next;
        }
        h_old = step;
        ASSERT_NEAR(now.x[0], u.real(), 1e-12) << "step " << n;
        ASSERT_NEAR(now.v[0], -omega * u.imag(), 1e-11) << "step " << n;
    }
}

TEST(ClosedForms, Bdf2RestartsWithImplicitEulerWhenTheStepGrowsTooFast)
{
    for (const double growth : {2.4, 2.5}) {
        Problem p = oscillator(3), q = oscillator(3);
        const auto bdf2 = method("bdf2"), euler = method("implicit-euler");
        State a = p.start;
        for (int n = 0; n < 3; ++n) ASSERT_EQ(advance(*p.dynamics, *bdf2, a, 0.02).status, StepStatus::ok);
        State b = a;
        ASSERT_EQ(advance(*p.dynamics, *bdf2, a, 0.02 * growth).status, StepStatus::ok);
        ASSERT_EQ(advance(*q.dynamics, *euler, b, 0.02 * growth).status, StepStatus::ok);
        EXPECT_EQ(small::same_bits(a, b), growth > 1 + std::numbers::sqrt2);
    }
}

TEST(ClosedForms, SymplecticMethodsFollowTheirRecurrences)
{
    const double omega = 3, h = 0.3, k = omega * omega;
    Problem p = oscillator(omega);
    const auto euler = method("symplectic-euler"), verlet = method("stormer-verlet");
    State a = p.start, b = p.start;
    double x = a.x[0], v = a.v[0], y = x, w = v;
    for (int n = 0; n < 50; ++n) {
        ASSERT_EQ(advance(*p.dynamics, *euler, a, h).status, StepStatus::ok);
        ASSERT_EQ(advance(*p.dynamics, *verlet, b, h).status, StepStatus::ok);
        v -= h * k * x;
        x += h * v;
        const double half = w - 0.5 * h * k * y;
        y += h * half;
        w = half - 0.5 * h * k * y;
        ASSERT_NEAR(a.x[0], x, 1e-12);
        ASSERT_NEAR(a.v[0], v, 1e-12);
        ASSERT_NEAR(b.x[0], y, 1e-12);
        ASSERT_NEAR(b.v[0], w, 1e-12);
    }
}

/// x_n = x0 + n h v0 + h^2 g (n^2/2 + lag n), lag = -1/2 when old velocities move the particle and 1/2 when new ones
/// do.
TEST(ClosedForms, FirstOrderMethodsFallEarlyOrLateByHalfAStep)
{
    const double h = 0.1;
    const Vec3 g(0, -10, 0);
    const struct {
        const char* name;
        double lag;
    } cases[] = {{"forward-euler", -0.5}, {"symplectic-euler", 0.5}, {"implicit-euler", 0.5}};
    for (const auto& [name, lag] : cases) {
        Problem p = small::free_fall(g);
        const auto integrator = method(name);
        State now = p.start;
        for (int n = 1; n <= 20; ++n) {
            ASSERT_EQ(advance(*p.dynamics, *integrator, now, h).status, StepStatus::ok);
            const Vec3 expected = node(p.start.x, 1) + n * h * node(p.start.v, 1) + h * h * (0.5 * n * n + lag * n) * g;
            ASSERT_LT((node(now.x, 1) - expected).norm(), 1e-11) << name << " step " << n;
        }
    }
}

/// The error of the implicit Euler start is damped by the root 1/3 of BDF2: it ends 3/4 h^2 g beside the parabola.
TEST(ClosedForms, Bdf2FallsBesideTheParabola)
{
    const double h = 0.1;
    const Vec3 g(0, -10, 0);
    Problem p = small::free_fall(g);
    const auto integrator = method("bdf2");
    State now = p.start;
    for (int n = 1; n <= 20; ++n) {
        ASSERT_EQ(advance(*p.dynamics, *integrator, now, h).status, StepStatus::ok);
        const double t = n * h;
        const Vec3 parabola = node(p.start.x, 0) + t * node(p.start.v, 0) + 0.5 * t * t * g;
        const Vec3 beside = 0.75 * (1 - std::pow(3.0, -n)) * h * h * g;
        ASSERT_LT((node(now.x, 0) - parabola - beside).norm(), 1e-11) << "step " << n;
    }
}

/// The first step is implicit Euler's; from its velocity w the two-step formula goes on to w (1 + 1/3 + 1/9 + ...).
TEST(Bdf2, GivesMoreThanTheImpulseOfAPulseAtTheStart)
{
    const struct {
        double end, times; // of the pulse [s], of its impulse
    } cases[] = {{0.01, 1.5}, {0.05, 1.1}};
    for (const auto& [end, times] : cases) {
        System system;
        system.mass = Mass(Vector(Vector::Constant(1, 1.0)));
        State now{.t = 0, .x = small::stacked({{0, 0, 0}}), .v = small::stacked({{0, 0, 0}})};
        system.potentials.push_back(std::make_unique<NodalForce>(
            std::vector<Index>{0}, std::vector<Vec3>{Vec3(1 / end, 0, 0)}, now.x, std::make_shared<Pulse>(0, end)));
        Problem p = small::problem(std::move(system), now, 1.0);
        const auto integrator = method("bdf2");
        for (int n = 0; n < 60; ++n) advance(*p.dynamics, *integrator, now, 0.01);
        EXPECT_NEAR(now.v[0], times, 1e-9);
    }
}

TEST(Newmark, HasOrderTwoOnlyAtGammaOneHalf)
{
    const struct {
        NewmarkOptions options;
        double order;
    } cases[]
        = {{{.beta = 1.0 / 6, .gamma = 0.5}, 2}, {{.beta = 0.3025, .gamma = 0.6}, 1}, {{.beta = 0.5, .gamma = 0.5}, 2}};
    for (const auto& [newmark, expected] : cases) {
        Options options;
        options.set("beta", newmark.beta);
        options.set("gamma", newmark.gamma);
        EXPECT_EQ(Newmark::order(options), static_cast<int>(expected));
        Problem p = small::driven_chain();
        const State exact = small::truth(p);
        const double measured = small::measured_order([&](long steps) {
            Newmark integrator(newmark);
            State now = p.start;
            const double h = p.duration / static_cast<double>(steps);
            for (long n = 0; n < steps; ++n) advance(*p.dynamics, integrator, now, h);
            return small::distance(now, exact);
        });
        EXPECT_NEAR(measured, expected, 0.1) << "beta " << newmark.beta << ", gamma " << newmark.gamma;
    }
}

/// Thirty steps of length h in which energy and what is dissipated add up to the start, to round-off. Returns the
/// latter.
double dissipated_in_balance(Problem& p, Integrator& integrator, double h)
{
    const double start = small::energy_of(*p.dynamics, p.start);
    State now = p.start;
    double dissipated = 0;
    for (int n = 0; n < 30; ++n) {
        const StepOutcome outcome = advance(*p.dynamics, integrator, now, h);
        EXPECT_EQ(outcome.status, StepStatus::ok);
        dissipated += outcome.dissipated.total();
        EXPECT_NEAR(small::energy_of(*p.dynamics, now) + dissipated, start, 1e-11 * start) << "step " << n;
        if (testing::Test::HasFailure()) break;
    }
    return dissipated;
}

/// What the midpoint and the trapezoidal rule book as dissipated is what a linear system loses, to round-off: also the
/// trapezoidal rule as a theta-method and as a tableau, and however strong the damping.
TEST(DissipatedEnergy, BalancesLinearSystemsExactlyForMidpointAndTrapezoidal)
{
    const std::vector<double> half = {0.5, 0.5};
    const Tableau trapezoid = checked_tableau({{0, 0}, half}, half);
    for (const double rate : {0.8, 800.0}) {
        const auto balances = [&](const char* name, std::unique_ptr<Integrator> integrator) {
            SCOPED_TRACE(testing::Message() << name << ", drag " << rate << "/s");
            Problem p = oscillator(3, rate);
            const double dissipated = dissipated_in_balance(p, *integrator, 0.2);
            if (rate < 1) {
                EXPECT_GT(dissipated, 0.9 * small::energy_of(*p.dynamics, p.start));
            }
        };
        for (const char* name : {"implicit-midpoint", "trapezoidal"}) balances(name, method(name));
        balances("theta-method at 1/2", std::make_unique<ThetaMethod>(0.5));
        balances("dirk", std::make_unique<Dirk>(trapezoid));
    }
}

/// Damping that is lagged and changes from step to step: the force at the start of a step is that of the solve before.
TEST(DissipatedEnergy, IsOfTheForcesThatActUnderTheTrapezoidalRule)
{
    class ChangingDrag final : public Dissipation {
    public:
        std::string_view name() const override { return "changing-drag"; }
        void pattern(BlockPattern&) const override { }
        void freeze(const State& now) override { rate_ = 0.5 + 20 * now.t; }
        void add(const Vector& u, Assembly& out) override
        {
            if (out.value != nullptr) *out.value += out.value_weight * 0.5 * rate_ * u.squaredNorm();
            if (out.gradient != nullptr) *out.gradient += (out.gradient_weight * rate_) * u;
            if (out.hessian == nullptr) return;
            out.hessian->block(out.hessian->slot(0, 0)) += (out.hessian_weight * rate_) * Mat3::Identity();
        }

    private:
        double rate_ = 0; // [kg/s]
    };
    Problem p = oscillator(3);
    p.dynamics->system().dissipations.push_back(std::make_unique<ChangingDrag>());
    dissipated_in_balance(p, *method("trapezoidal"), 0.1);
}

/// The quadratures themselves, without the limit of the ledger: what the pages of the methods say of an oscillator, in
/// its energy at the start, whatever the step.
TEST(DissipatedEnergy, IsBoundedOnAnOscillatorHoweverStiffTheDamping)
{
    const double h = 0.5;
    const auto most_booked = [&](const std::function<std::unique_ptr<Integrator>()>& make) {
        double most = 0;
        for (const double angle : {0.1, 1.0, 3.0, 30.0, 1000.0}) { // h omega
            for (double product = 1e-3; product < 1e7; product *= 10) { // h times rate
                for (const double phase : {0.0, 0.8, 1.6, 2.4}) {
                    Problem p = oscillator(angle / h, product / h);
                    p.start.x = Vec3(std::cos(phase) * h / angle, 0, 0);
                    p.start.v = Vec3(std::sin(phase), 0, 0);
                    const auto integrator = make();
                    State now = p.start;
                    double booked = 0;
                    for (int n = 0; n < 60; ++n) {
                        const StepOutcome outcome = advance(*p.dynamics, *integrator, now, h);
                        if (outcome.status != StepStatus::ok) break;
                        booked += std::max(0.0, outcome.dissipated.total());
                    }
                    most = std::max(most, booked / 0.5);
                }
            }
        }
        return most;
    };
    for (const char* name : {"implicit-euler", "implicit-midpoint", "trapezoidal", "bdf2", "dirk"}) {
        EXPECT_LT(most_booked([&] { return method(name); }), 1 + 1e-6) << name;
    }
    for (const double theta : {0.5, 0.75, 1.0}) {
        EXPECT_LT(most_booked([&] { return std::make_unique<ThetaMethod>(theta); }), 1 + 1e-6) << "theta " << theta;
    }
    for (const char* name : {"sdirk2", "tr-bdf2"}) {
        EXPECT_LT(most_booked([&] { return method(name); }), 1.42) << name;
    }
    EXPECT_LT(most_booked([] { return method("a-1"); }), 1.26);
}

/// Under drag alone the balance closes at every step, however large: what is booked is kinetic energy that is gone.
TEST(DissipatedEnergy, IsAllThatDragTakesUnderExplicitMethods)
{
    for (const char* name : {"forward-euler", "symplectic-euler", "stormer-verlet", "rk4"}) {
        for (const double product : {0.1, 1.0, 1.9}) { // h times rate; the limit of stability is 2 or more
            SCOPED_TRACE(testing::Message() << name << ", h times rate " << product);
            Problem p = oscillator(0, product / 0.2);
            p.start.v.setConstant(2);
            const auto integrator = method(name);
            State now = p.start;
            double dissipated = 0;
            for (int n = 0; n < 20; ++n) {
                const StepOutcome outcome = advance(*p.dynamics, *integrator, now, 0.2);
                ASSERT_GE(outcome.dissipated.free, 0);
                dissipated += outcome.dissipated.total();
                ASSERT_NEAR(
                    p.dynamics->kinetic_energy(now.v) + dissipated, p.dynamics->kinetic_energy(p.start.v), 1e-12);
            }
        }
    }
}

} // namespace

} // namespace rubato
