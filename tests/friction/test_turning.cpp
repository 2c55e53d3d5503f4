#include "friction/flat_block.hpp"

/// A sphere or a capsule that turns about its own axis has nodes that stay where they are. Its surface slides all the
/// same, and friction drives what lies on it.
namespace rubato {
namespace {

constexpr double radius = 0.1, rate = 5, rim_speed = rate * radius; // [m], [rad/s], [m/s]
constexpr double mass = 16, start_energy = 0.5 * mass * rim_speed * rim_speed; // of the block [kg], [J]

/// A block above something round, level and free to move along x only: what presses them together does not change.
std::string over(const std::string& integrator, const std::string& round, const std::string& motion, double gap)
{
    return fmt::format(R"({{"gravity": [0, 0, 0], "time": {{"step": 0.002, "duration": 0.3}}, "integrator": "{}",
        "bodies": [{{"name": "block", "mesh": {{"type": "box", "size": [0.4, 0.1, 0.4], "cells": [4, 1, 4]}},
            "density": 1000, "translate": [0.03, {}, 0.017],
            "material": {{"type": "neo-hookean", "young": 1e7, "poisson": 0}}}}],
        "fixed": [{{"nodes": {{"type": "all"}}, "axes": "yz"}}],
        "obstacles": [{{{}{}}}],
        "contact": {{"dhat": 1e-3, "stiffness": 1e5, "friction": 0.5}}}})",
        integrator, 0.05 + gap, round, motion.empty() ? "" : ", \"motion\": " + motion);
}

const std::string turning = R"({"type": "rotation", "axis": [0, 0, 1], "center": [0, -0.1, 0], "rate": 5})";
const std::string sphere = R"("type": "sphere", "center": [0, -0.1, 0], "radius": 0.1)";
const std::string capsule = R"("type": "capsule", "from": [0, -0.1, -0.05], "to": [0, -0.1, 0.05], "radius": 0.1)";

struct Driven final : Observer {
    double injected = 0, dissipated = 0, least_dissipated = 0, total = 0, start = 0; ///< [J]
    double speed = 0; ///< along x [m/s]

    explicit Driven(const std::string& scene)
    {
        BuiltScene built = rubato::built(scene_from_text(scene, "turning.json", "."));
        Simulation simulation = built.simulation();
        simulation.observe(*this);
        const RunResult result = simulation.run(built.duration);
        EXPECT_TRUE(result.finished) << result.why;
    }
    void step(const StepRecord& record) override
    {
        if (record.step == 0) start = record.total();
        least_dissipated = std::min(least_dissipated, record.ledger.dissipated - dissipated);
        injected = record.ledger.injected;
        dissipated = record.ledger.dissipated;
        total = record.total();
        speed = record.linear_momentum.x() / mass;
    }
};

/// At the top the surface of what turns about +z goes toward -x.
TEST(BlockOverSomethingRound, IsDrivenAtTheSpeedOfTheSurfaceAndWhatTheMotorGivesIsBooked)
{
    for (const std::string& round : {sphere, capsule}) {
        for (const char* integrator : {"implicit-euler", "bdf2", "a-search", "a-1", "trapezoidal"}) {
            const Driven block(over(integrator, round, turning, 0.993e-3));
            EXPECT_NEAR(block.speed, -rim_speed, 0.02 * rim_speed) << integrator << round;
            EXPECT_NEAR(block.injected, 2 * start_energy, 0.04 * start_energy) << integrator << round;
            EXPECT_NEAR(block.dissipated, start_energy, 0.04 * start_energy) << integrator << round;
            EXPECT_GE(block.least_dissipated, -1e-3 * start_energy) << integrator << round;
            EXPECT_NEAR(block.total - block.start - block.injected + block.dissipated, 0, 0.04 * start_energy)
                << integrator << round;
        }
    }
}

TEST(BlockOverSomethingRound, StaysWhereItIsIfThatDoesNotTurn)
{
    const std::string slow = R"({"type": "rotation", "axis": [0, 1, 0], "center": [0, -0.1, 0], "rate": 5})";
    for (const std::string& motion : {std::string(), slow}) { // about y: the surface at the top only turns
        const Driven block(over("bdf2", sphere, motion, 0.993e-3));
        EXPECT_NEAR(block.speed, 0, 1e-6) << motion;
        EXPECT_NEAR(block.injected, 0, 1e-6) << motion;
    }
}

/// Boxes, cylinders and meshes turn with their nodes, whose velocities are all that friction needs; what does not turn
/// needs nothing.
TEST(Obstacles, HaveANodeForTheirTurningIfTheyAreRoundAndTurn)
{
    const auto turning_node = [](const std::string& shape, const std::string& motion) {
        const std::string text = over("bdf2", shape, motion, 0.1);
        return rubato::built(scene_from_text(text, "turning.json", ".")).obstacles.front().turning;
    };
    const std::string slide = R"({"type": "translation", "velocity": [1, 0, 0]})";
    EXPECT_GE(turning_node(sphere, turning), 0);
    EXPECT_GE(turning_node(capsule, turning), 0);
    EXPECT_LT(turning_node(sphere, slide), 0);
    EXPECT_LT(turning_node(R"("type": "box", "center": [0, -1, 0], "size": [1, 1, 1])", turning), 0);
    EXPECT_LT(turning_node(R"("type": "cylinder", "center": [0, -1, 0], "radius": 0.3, "height": 1)", turning), 0);
}

} // namespace
} // namespace rubato
