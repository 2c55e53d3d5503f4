#pragma once

#include "contact/barrier_function.hpp"
#include "scene/build.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

/// A flat block on the ground, given as a scene, and what it does there.
namespace rubato::test {

inline constexpr double g = 9.8; // [m/s^2]
inline constexpr double dhat = 1e-3; // [m]

/// The gap in units of dhat at which the barrier presses with this much [Pa].
inline double gap_under(double pressure, double kappa)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
        const double y = 0.5 * (low + high);
        (-kappa / dhat * barrier_function(y).b1 > pressure ? low : high) = y;
    }
    return high;
}

/// It is 0.4 m long and wide, 0.1 m high, weighs 16 kg, begins where it rests, and slides along x, or down a slope.
struct FlatBlock {
    double friction = 0.3;
    double speed = 0; ///< at the start, along the ground [m/s]
    double fall = 0; ///< at the start, toward the ground [m/s]
    double slope = 0; ///< of the ground [rad]
    bool gravity_is_tilted = true; ///< in place of the ground and the block
    double above = 0; ///< higher than where it rests [m]
    double h = 1.0 / 120; ///< [s]
    double duration = 1; ///< [s]
    std::string integrator = "implicit-euler";
    double friction_speed = 1e-3; ///< [m/s]
    int friction_iterations = 1;
    double tolerance = 1e-2; ///< of Newton's method [m/s]; the default of scenes
    double kappa = 1e5; ///< [N/m]
    std::string ground = {}; ///< an obstacle with its top at y = 0, instead of a half-space

    static constexpr double height = 0.1, area = 0.16, density = 1000;
    static constexpr double mass = density * height * area;
    double normal_force() const { return mass * g * std::cos(slope); } ///< [N]
    double gap() const { return dhat * gap_under(normal_force() / area, kappa); } ///< where it rests [m]
    Vec3 up() const
    {
        return gravity_is_tilted ? Vec3::UnitY() : Vec3(std::sin(slope), std::cos(slope), 0);
    } ///< off the ground
    Vec3 ahead() const { return {up().y(), -up().x(), 0}; }

    std::string scene() const
    {
        const auto vector = [](const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); };
        const Vec3 down = gravity_is_tilted ? Vec3(std::sin(slope), -std::cos(slope), 0) : Vec3(0, -1, 0);
        const double turn = gravity_is_tilted ? 0 : -slope * 180 / std::numbers::pi;
        const std::string plane = R"({"type": "half-space", "point": [0, 0, 0], "normal": )" + vector(up()) + "}";
        return fmt::format(
            R"({{"gravity": {}, "time": {{"step": {}, "duration": {}}}, "integrator": "{}",
            "solver": {{"tolerance": {}}}, "bodies": [{{
            "name": "block", "mesh": {{"type": "box", "size": [0.4, 0.1, 0.4], "cells": [4, 1, 4]}}, "density": 1000,
            "rotate": {{"axis": [0, 0, 1], "angle": {}}}, "translate": {},
            "velocity": [{{"type": "linear", "velocity": {}}}],
            "material": {{"type": "neo-hookean", "young": 1e7, "poisson": 0.3}}}}], "obstacles": [{}],
            "contact": {{"dhat": {}, "stiffness": {}, "friction": {}, "friction_speed": {}, "friction_iterations": {}}}}})",
            vector(g * down), h, duration, integrator, tolerance, turn, vector((0.5 * height + gap() + above) * up()),
            vector(speed * ahead() - fall * up()), ground.empty() ? plane : ground, dhat, kappa, friction,
            friction_speed, friction_iterations);
    }
};

/// How far its centre of mass has come, step by step, to the end of the run.
struct Track final : Observer {
    std::vector<double> time, way, speed; ///< [s], along the ground [m], [m/s]
    double dissipated = 0, injected = 0; ///< as booked [J]

    explicit Track(const FlatBlock& block)
        : up_(block.up())
        , ahead_(block.ahead())
    {
        BuiltScene built = rubato::built(scene_from_text(block.scene(), "block.json", "."));
        masses_ = built.dynamics->system().mass.nodal().head(built.body_nodes);
        Simulation simulation = built.simulation();
        simulation.observe(*this);
        const RunResult result = simulation.run(built.duration);
        EXPECT_TRUE(result.finished) << result.why;
    }
    double distance() const { return way.back() - way.front(); }

    void step(const StepRecord& record) override
    {
        Vec3 moment = Vec3::Zero();
        for (Index i = 0; i < masses_.size(); ++i) moment += masses_[i] * node(record.state.x, i);
        const double mass = masses_.sum();
        time.push_back(record.state.t);
        way.push_back(ahead_.dot(moment) / mass);
        speed.push_back(ahead_.dot(record.linear_momentum) / mass);
        dissipated = record.ledger.dissipated;
        injected = record.ledger.injected;
    }

private:
    Vec3 up_, ahead_;
    Vector masses_;
};

} // namespace rubato::test
