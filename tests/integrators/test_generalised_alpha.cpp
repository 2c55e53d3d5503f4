#include "contracts/small_systems.hpp"
#include "integrators/generalised_alpha.hpp"
#include "integrators/implicit_midpoint.hpp"

#include <gtest/gtest.h>

#include <numbers>

/// What the contracts do not say of the generalised-alpha method. Its eigenvalues are in tests/lab/test_stability.cpp.
namespace rubato {

namespace {

using small::advance;
using small::Problem;

/// A particle of mass 1 on a spring of stiffness omega^2 that is at rest at (far, 0, 0), with drag.
Problem tied_particle(double omega, double drag = 0, double far = 0)
{
    System system;
    system.mass = Mass(Vector::Constant(1, 1.0));
    system.potentials.push_back(std::make_unique<Attachments>(
        std::vector<Attachment>{{0, omega * omega, Vec3(far, 0, 0), std::make_shared<Rest>()}}));
    if (drag > 0) system.dissipations.push_back(std::make_unique<Drag>(system.mass, drag));
    const State start{.t = 0, .x = Vec3(far + 1, 0, 0), .v = Vec3(0.3, 0, 0)};
    return small::problem(std::move(system), start, 1.0);
}

TEST(GeneralisedAlpha, IsTheImplicitMidpointRuleAtOne)
{
    Problem p = small::driven_chain(0.8), q = small::driven_chain(0.8);
    GeneralisedAlpha alpha(1);
    ImplicitMidpoint midpoint;
    State a = p.start, b = q.start;
    for (int n = 0; n < 60; ++n) {
        const double h = n % 3 == 2 ? 0.05 : 0.1;
        const StepOutcome one = advance(*p.dynamics, alpha, a, h), other = advance(*q.dynamics, midpoint, b, h);
        ASSERT_EQ(one.status, StepStatus::ok);
        ASSERT_LT(small::distance(a, b), 1e-10) << "step " << n;
        ASSERT_NEAR(one.dissipated.free, other.dissipated.free, 1e-10) << "step " << n;
        ASSERT_NEAR(one.dissipated.driven, other.dissipated.driven, 1e-10) << "step " << n;
    }
}

/// At one nothing is lost but what is booked, however long the step and however strong the damping.
TEST(GeneralisedAlpha, LosesWhatItBooksAtOne)
{
    for (const double omega : {3.0, 300.0}) {
        for (const double drag : {0.0, 0.8, 800.0}) {
            Problem p = tied_particle(omega, drag);
            GeneralisedAlpha alpha(1);
            State now = p.start;
            const double start = small::energy_of(*p.dynamics, now);
            double dissipated = 0;
            for (int n = 0; n < 1000; ++n) {
                dissipated += advance(*p.dynamics, alpha, now, 0.2).dissipated.total();
                ASSERT_NEAR(small::energy_of(*p.dynamics, now) + dissipated, start, 1e-9 * start)
                    << "omega " << omega << "/s, drag " << drag << "/s, step " << n;
            }
        }
    }
}

/// Where the step resolves a vibration little is lost: less than 2e-4 of the energy in a period of 60 steps.
TEST(GeneralisedAlpha, LosesLittleWhereTheStepResolvesTheVibration)
{
    Problem p = tied_particle(1);
    GeneralisedAlpha alpha(0.8);
    State now = p.start;
    const double start = small::energy_of(*p.dynamics, now);
    for (int n = 0; n < 600; ++n) advance(*p.dynamics, alpha, now, 2 * std::numbers::pi / 60);
    const double end = small::energy_of(*p.dynamics, now);
    EXPECT_LT(end, start);
    EXPECT_GT(end, (1 - 10 * 2e-4) * start);
}

/// a_n is an acceleration of earlier than t_n, by a share of the step before: it has to be moved where the step
/// changes.
TEST(GeneralisedAlpha, IsOfSecondOrderHoweverTheStepChanges)
{
    Problem p = small::chain_with_drag();
    const State exact = small::truth(p);
    for (const double rho : {0.0, 0.3, 0.5, 0.8, 1.0}) {
        for (const std::vector<double>& pattern :
            {std::vector<double>{1}, std::vector<double>{1, 2}, std::vector<double>{1, 1, 0.5}}) {
            const double measured = small::measured_order([&](long steps) {
                GeneralisedAlpha alpha(rho);
                State now = p.start;
                double sum = 0;
                for (long n = 0; n < steps; ++n) sum += pattern[static_cast<std::size_t>(n) % pattern.size()];
                for (long n = 0; n < steps; ++n) {
                    const double length = pattern[static_cast<std::size_t>(n) % pattern.size()];
                    advance(*p.dynamics, alpha, now, p.duration * length / sum);
                }
                return small::distance(now, exact);
            });
            EXPECT_NEAR(measured, 2, 0.15) << "rho_inf " << rho << ", " << pattern.size() << " lengths";
        }
    }
}

/// Stiff springs that the step does not resolve, one of them far from the origin, where a position has few digits left:
/// the difference of the forces there is a million times that of the positions.
TEST(GeneralisedAlpha, DoesNotMagnifyRoundOff)
{
    const double h = 0.01, far = 1024;
    for (const double rho : {0.0, 0.5, 0.8}) {
        Problem p = tied_particle(1e4 / h), q = tied_particle(1e4 / h, 0, far);
        GeneralisedAlpha here(rho), there(rho);
        State a = p.start, b = q.start;
        for (int n = 0; n < 40; ++n) {
            ASSERT_EQ(advance(*p.dynamics, here, a, h).status, StepStatus::ok);
            ASSERT_EQ(advance(*q.dynamics, there, b, h).status, StepStatus::ok);
            ASSERT_NEAR(b.x[0] - far, a.x[0], 1e-10) << "rho_inf " << rho << ", step " << n;
            ASSERT_NEAR(h * b.v[0], h * a.v[0], 1e-10) << "rho_inf " << rho << ", step " << n;
        }
    }
}

/// The quadrature itself, without the limit of the ledger, in the energy at the start: what the page says.
TEST(GeneralisedAlpha, BooksWhatThereWasHoweverStiffTheDampingOfAVibrationThatIsResolved)
{
    const double h = 0.5;
    const struct {
        double rho, most;
    } cases[] = {{0, 1.32}, {0.5, 1.04}, {0.8, 1.01}, {1, 1 + 1e-9}};
    for (const auto& [rho, most] : cases) {
        for (const double angle : {0.1, 0.3, 1.0}) { // h omega
            for (double product = 1e-3; product < 1e7; product *= 4) { // h times rate
                for (double phase = 0; phase < 3; phase += 0.4) {
                    Problem p = tied_particle(angle / h, product / h);
                    p.start.x = Vec3(std::cos(phase) * h / angle, 0, 0);
                    p.start.v = Vec3(std::sin(phase), 0, 0);
                    GeneralisedAlpha alpha(rho);
                    State now = p.start;
                    double booked = 0;
                    for (int n = 0; n < 60; ++n) {
                        booked += std::max(0.0, advance(*p.dynamics, alpha, now, h).dissipated.total());
                    }
                    ASSERT_LT(booked, 0.5 * most) << rho << ", h omega " << angle << ", h rate " << product;
                }
            }
        }
    }
}

/// Gravity that turns between two steps: what is remembered of it is told, and the body goes on along a new parabola.
TEST(GeneralisedAlpha, RemembersTheForcesAsTheyAreAfterAJump)
{
    const double h = 0.05;
    const Vec3 g(0.3, -9.81, 0.2), later(4, 2, -7);
    Problem p = small::free_fall(g), q = small::free_fall(later);
    GeneralisedAlpha alpha(0.5);
    State now = p.start;
    for (int n = 0; n < 7; ++n) advance(*p.dynamics, alpha, now, h);
    const State turned = now;
    const Vec3 change = later - g;
    alpha.jumped({}, small::stacked({change, change, change}));
    for (int n = 1; n <= 20; ++n) {
        advance(*q.dynamics, alpha, now, h);
        const double t = n * h;
        for (Index i = 0; i < 3; ++i) {
            const Vec3 v0 = node(turned.v, i), x = Vec3(node(turned.x, i)) + t * v0 + 0.5 * t * t * later;
            ASSERT_LT((Vec3(node(now.v, i)) - (v0 + t * later)).norm(), 1e-11) << "step " << n;
            ASSERT_LT((Vec3(node(now.x, i)) - x).norm(), 1e-11) << "step " << n;
        }
    }
}

TEST(GeneralisedAlpha, IsNewAfterARestart)
{
    Problem p = small::chain_with_drag(), q = small::chain_with_drag();
    GeneralisedAlpha used(0.5), unused(0.5);
    State a = p.start;
    for (int n = 0; n < 5; ++n) advance(*p.dynamics, used, a, 0.03);
    State b = a;
    used.restart();
    for (int n = 0; n < 5; ++n) {
        advance(*p.dynamics, used, a, 0.02);
        advance(*q.dynamics, unused, b, 0.02);
        ASSERT_TRUE(small::same_bits(a, b)) << "step " << n;
    }
}

} // namespace

} // namespace rubato
