#include "friction/particle.hpp"

#include <cmath>

/// What friction takes and what moving obstacles give, where both are known: the columns `dissipated` and `injected`.
namespace rubato {
namespace {

using test::methods_for_contact;
using test::Particle;
using test::Ride;

constexpr double V = 1; // [m/s]
constexpr double a = Particle::mu * Particle::g; // of what slides [m/s^2]
constexpr double energy = 0.5 * Particle::mass * V * V; // [J]
constexpr double steps = 100; // until it has stopped, or moves along

/// Sliding for a time T = V/a: at rest on a belt, or with V on the ground.
Particle sliding(const std::string& integrator)
{
    return {.integrator = integrator, .h = V / a / steps, .duration = 1.5 * V / a};
}

/// A method of first order takes the way at the speed of one end of each step: 1/steps. A-search and A-1 do not, since
/// they book what the impulses of friction do to the kinetic energy.
double booked_within(const std::string& integrator)
{
    const bool exact = integrator == "a-search" || integrator == "a-search-sparse" || integrator == "a-1";
    return exact ? 0.001 : 1.2 / steps;
}

TEST(SlidingParticle, LosesToFrictionTheEnergyThatItHad)
{
    for (const std::string& method : methods_for_contact()) {
        Particle p = sliding(method);
        p.velocity = {V, 0, 0};
        const Ride ride(p);
        EXPECT_NEAR(ride.dissipated.back(), energy, booked_within(method) * energy) << method;
        EXPECT_EQ(ride.injected.back(), 0) << method;
        EXPECT_GE(ride.least_dissipated(), 0) << method;
        EXPECT_LT(ride.off_balance(), booked_within(method) * energy) << method;
        EXPECT_LT(std::abs(ride.kinetic.back()), 1e-3 * energy) << method;
    }
}

/// f.V = m V^2 comes from the belt, half of which heats.
TEST(ParticleOnABelt, IsGivenTwiceWhatItKeeps)
{
    for (const std::string& method : methods_for_contact()) {
        Particle p = sliding(method);
        p.motion = std::make_shared<Translation>(Vec3(V, 0, 0), 0, 1e9);
        const Ride ride(p);
        EXPECT_NEAR(ride.kinetic.back(), energy, 0.005 * energy) << method;
        EXPECT_NEAR(ride.injected.back(), 2 * energy, 2 * booked_within(method) * energy) << method;
        EXPECT_NEAR(ride.dissipated.back(), energy, 2 * booked_within(method) * energy) << method;
        EXPECT_GE(ride.least_dissipated(), 0) << method;
        EXPECT_LT(ride.off_balance(), 1.1 * booked_within(method) * energy) << method;
    }
}

/// Whatever the observer's frame: a particle that stops on a belt which moves against it.
TEST(ParticleOnABelt, HeatsAsMuchInEveryFrame)
{
    for (const std::string method : {"implicit-euler", "bdf2", "a-search", "a-1", "trapezoidal"}) {
        Particle p = sliding(method);
        p.velocity = {0.5 * V, 0, 0};
        p.motion = std::make_shared<Translation>(Vec3(-0.5 * V, 0, 0), 0, 1e9);
        const Ride ride(p);
        EXPECT_NEAR(ride.dissipated.back(), energy, 1.5 * booked_within(method) * energy) << method;
        EXPECT_NEAR(ride.injected.back(), energy, 1.5 * booked_within(method) * energy)
            << method << ": the belt pushes back on all the way";
    }
}

/// It is carried along by a plate that swings less than friction can hold: at the plate's own velocity, of the same
/// moment. A velocity of the start of the step would be off by h times the acceleration.
TEST(ParticleOnASwingingPlate, MovesWithItsVelocityOfTheSameTime)
{
    const double amplitude = 0.02, frequency = 2; // [m], [Hz]: at most 1.6 of 5 m/s^2
    for (const std::string method : {"implicit-euler", "bdf2", "a-search", "a-1", "trapezoidal", "sdirk2"}) {
        Particle p{.integrator = method, .h = 0.005, .duration = 1};
        p.motion = std::make_shared<Oscillation>(Vec3(amplitude, 0, 0), frequency);
        const Ride ride(p);
        for (const State& s : ride.state) {
            const double plate = p.motion->velocity(Vec3::Zero(), s.t).x();
            ASSERT_LT(std::abs(s.v[0] - plate), p.friction_speed) << method << " at " << s.t << " s";
        }
        EXPECT_GE(ride.least_dissipated(), -1e-6 * energy) << method;
        EXPECT_LT(ride.dissipated.back(), 0.02 * energy) << method;
        EXPECT_LT(ride.off_balance(), 0.02 * energy) << method;
    }
}

/// On a turntable friction turns its velocity, and does no work once it moves along: it cannot be faster than the table
/// where it is.
TEST(ParticleOnATurntable, IsCarriedRoundWithoutGainingEnergy)
{
    const double spin = 2, r = 0.5; // [rad/s], [m]: 2 of 5 m/s^2
    for (const std::string& method : methods_for_contact()) {
        Particle p{.integrator = method, .h = 0.005, .duration = 3.1};
        p.motion = std::make_shared<Rotation>(Vec3::Zero(), Vec3::UnitY(), spin, 0, 1e9);
        p.place = {r, 0, 0};
        p.velocity = {0, 0, -spin * r};
        const Ride ride(p);
        const double moving = 0.5 * Particle::mass * spin * spin * r * r; // [J]
        for (std::size_t i = 0; i < ride.state.size(); ++i) {
            const Vec3 x = node(ride.state[i].x, 0), v = node(ride.state[i].v, 0);
            const double table = spin * std::hypot(x.x(), x.z());
            ASSERT_LT(std::hypot(v.x(), v.z()), table + p.friction_speed) << method << " at " << ride.state[i].t;
            ASSERT_NEAR(ride.kinetic[i], moving, 0.07 * moving) << method << " at " << ride.state[i].t;
        }
        EXPECT_GE(ride.least_dissipated(), -1e-6 * moving) << method;
        EXPECT_LT(ride.dissipated.back(), 0.01 * moving) << method;
    }
}

} // namespace
} // namespace rubato
