#include "friction/flat_block.hpp"

/// A block on a belt: friction drives it until it moves along, and what the belt gave it is booked.
namespace rubato {
namespace {

using test::FlatBlock;
using test::Track;

constexpr double belt_speed = 1; // of the belt [m/s]

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
        EXPECT_NEAR(track.speed.back(), belt_speed, std::string(integrator) == "a-search" ? 0.02 : 0.002)
            << integrator; // it vibrates
        const double expected = belt_speed * belt_speed / (2 * 0.5 * test::g); // while it catches up
        const double after = belt_speed * (track.time.back() - belt_speed / (0.5 * test::g));
        EXPECT_NEAR(track.distance(), expected + after, 0.02 * (expected + after)) << integrator;
    }
}

/// Injected less dissipated is the kinetic energy that it ends with, and as much becomes heat. Implicit Euler takes mu
/// N over ways that are longer by h/2 at the speed of the end: 1/N of the energy, N = 102 steps.
TEST(BlockOnABelt, IsBookedTheEnergyThatItGets)
{
    const double kinetic = 0.5 * FlatBlock::mass * belt_speed * belt_speed;
    for (const char* integrator : {"implicit-euler", "bdf2", "a-search"}) {
        const Track track(on_belt(integrator));
        EXPECT_NEAR(track.injected - track.dissipated, kinetic, 0.02 * kinetic) << integrator;
        EXPECT_NEAR(track.dissipated, kinetic, 0.02 * kinetic) << integrator;
    }
}

/// A block on a turntable is at rest first, slides outward a little, and then goes round. It moves no faster than the
/// table under it, and what it has beside the motion of the whole is nothing to speak of.
TEST(BlockOnATurntable, IsCarriedRoundWithoutGainingEnergy)
{
    struct Watch final : Observer {
        double spin = 2; // of the table [rad/s]
        Vec3 axis{0.8, 0, 0}; // where it is [m]
        Vector masses;
        double most = 0, last = 0; // kinetic energy over that of moving with the table
        double least_dissipated = 0, dissipated = 0; // [J]

        void step(const StepRecord& r) override
        {
            double inertia = 0; // about the axis of the table
            for (Index i = 0; i < masses.size(); ++i) {
                const Vec3 x = node(r.state.x, i) - axis;
                inertia += masses[i] * (x.x() * x.x() + x.z() * x.z());
            }
            last = r.kinetic / (0.5 * inertia * spin * spin);
            most = std::max(most, last);
            least_dissipated = std::min(least_dissipated, r.ledger.dissipated - dissipated);
            dissipated = r.ledger.dissipated;
        }
    };
    for (const char* integrator : {"implicit-euler", "bdf2", "a-search"}) {
        FlatBlock block{.friction = 0.8, .h = 1.0 / 500, .duration = 1.5, .integrator = integrator};
        block.ground = R"({"type": "box", "center": [0, -0.5, 0], "size": [4, 1, 4],
            "motion": {"type": "rotation", "axis": [0, 1, 0], "center": [0.8, 0, 0], "rate": 2}})";
        BuiltScene built = rubato::built(scene_from_text(block.scene(), "turntable.json", "."));
        Watch watch;
        watch.masses = built.dynamics->system().mass.nodal().head(built.body_nodes);
        Simulation simulation = built.simulation();
        simulation.observe(watch);
        const RunResult result = simulation.run(built.duration);
        EXPECT_TRUE(result.finished) << result.why;
        EXPECT_LT(watch.most, 1.03) << integrator;
        EXPECT_NEAR(watch.last, 1, 0.02) << integrator;
        EXPECT_GE(watch.least_dissipated, 0) << integrator;
    }
}

} // namespace
} // namespace rubato
