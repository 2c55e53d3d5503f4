#include "friction/flat_block.hpp"

/// A block on a belt: friction drives it until it moves along, and what the belt gave it is booked.
namespace rubato {
namespace {

using test::FlatBlock;
using test::Track;

constexpr double V = 1; // of the belt [m/s]

FlatBlock on_belt(const std::string& integrator)
{
    return {.friction = 0.5,
        .h = 1.0 / 500,
        .duration = 0.3,
        .integrator = integrator,
        .ground = R"({"type": "box", "center": [0, -0.5, 0], "size": [4, 1, 2],
            "motion": {"type": "translation", "velocity": [1, 0, 0]}})"};
}

TEST(BlockOnABelt, IsDrivenByMuNAndThenMovesAlong)
{
    for (const char* integrator : {"implicit-euler", "bdf2", "a-search"}) {
        const Track track(on_belt(integrator));
        EXPECT_NEAR(track.speed.back(), V, std::string(integrator) == "a-search" ? 0.02 : 0.002)
            << integrator; // it vibrates
        const double expected = V * V / (2 * 0.5 * test::g); // while it catches up
        const double after = V * (track.time.back() - V / (0.5 * test::g));
        EXPECT_NEAR(track.distance(), expected + after, 0.02 * (expected + after)) << integrator;
    }
}

/// Injected less dissipated is the kinetic energy that it ends with; how it splits is known less exactly. Implicit
/// Euler and A-search take mu N over ways that are longer by h/2 at the speed of the end: 1/N of the energy, N = 102
/// steps.
TEST(BlockOnABelt, IsBookedTheEnergyThatItGets)
{
    const double kinetic = 0.5 * FlatBlock::mass * V * V;
    for (const char* integrator : {"implicit-euler", "bdf2", "a-search"}) {
        const Track track(on_belt(integrator));
        EXPECT_NEAR(track.injected - track.dissipated, kinetic, 0.02 * kinetic) << integrator;
    }
    for (const char* integrator : {"implicit-euler", "bdf2"}) { // the ends of whose steps tell what happened in between
        EXPECT_NEAR(Track(on_belt(integrator)).dissipated, kinetic, 0.1 * kinetic)
            << integrator; // as much heat as motion
    }
}

} // namespace
} // namespace rubato
