#pragma once

#include "contact/barrier_function.hpp"
#include "scene/build.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

/// A flat block on the ground, given as a scene, and what it does there.
namespace rubato::test {

constexpr double g = 9.8; // [m/s^2]
constexpr double dhat = 1e-3; // [m]

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

/// It is 0.4 m long and wide, 0.1 m high, weighs 16 kg, and slides along x.
struct FlatBlock {
    double friction = 0.3;
    double speed = 0; ///< at the start [m/s]
    double fall = 0; ///< downward at the start [m/s]
    double slope = 0; ///< of the ground, down along x [rad]; it is gravity that is tilted
    double above = 0; ///< this much higher than where it rests [m]
    double h = 0.01; ///< [s]
    double duration = 1; ///< [s]
    std::string integrator = "implicit-euler";
    double friction_speed = 1e-3; ///< [m/s]
    int friction_iterations = 1;
    double tolerance = 1e-2; ///< of Newton's method [m/s]
    double kappa = 1e5; ///< [N/m]
    std::string ground = R"({"type": "half-space", "name": "ground", "normal": [0, 1, 0]})";

    static constexpr double height = 0.1, area = 0.16, density = 1000;
    static constexpr double mass = density * height * area;
    double pressure() const { return density * height * g * std::cos(slope); } ///< where it rests [Pa]
    double gap() const { return dhat * gap_under(pressure(), kappa); } ///< where it rests [m]

    std::string scene() const
    {
        return fmt::format(
            R"({{"gravity": [{gx}, {gy}, 0], "time": {{"step": {h}, "duration": {duration}}}, "integrator": "{integrator}",
            "solver": {{"tolerance": {tolerance}}},
            "bodies": [{{"name": "block", "mesh": {{"type": "box", "size": [0.4, 0.1, 0.4], "cells": [4, 1, 4]}},
                "translate": [0, {y}, 0], "density": 1000, "velocity": [{{"type": "linear", "velocity": [{speed}, {fall}, 0]}}],
                "material": {{"type": "neo-hookean", "young": 1e7, "poisson": 0.3}}}}],
            "obstacles": [{ground}],
            "contact": {{"dhat": {dhat}, "stiffness": {kappa}, "friction": {friction}, "friction_speed": {friction_speed},
                "friction_iterations": {iterations}}}}})",
            fmt::arg("gx", g * std::sin(slope)), fmt::arg("gy", -g * std::cos(slope)), fmt::arg("h", h),
            fmt::arg("duration", duration), fmt::arg("integrator", integrator), fmt::arg("tolerance", tolerance),
            fmt::arg("y", 0.5 * height + gap() + above), fmt::arg("speed", speed), fmt::arg("fall", -fall),
            fmt::arg("ground", ground), fmt::arg("dhat", dhat), fmt::arg("kappa", kappa),
            fmt::arg("friction", friction), fmt::arg("friction_speed", friction_speed),
            fmt::arg("iterations", friction_iterations));
    }
};

/// Where its centre of mass is, step by step.
struct Track final : Observer {
    std::vector<double> time, way, speed, rise; ///< [s], [m], [m/s] along x, [m/s] along y
    std::vector<double> dissipated; ///< as booked [J]
    bool finished = false;
    std::string why;

    explicit Track(const FlatBlock& block) { follow(block.scene()); }
    double distance() const { return way.back() - way.front(); }

    void step(const StepRecord& record) override
    {
        Vec3 moment = Vec3::Zero();
        for (Index i = 0; i < masses_.size(); ++i) moment += masses_[i] * node(record.state.x, i);
        time.push_back(record.state.t);
        way.push_back(moment.x() / masses_.sum());
        speed.push_back(record.linear_momentum.x() / masses_.sum());
        rise.push_back(record.linear_momentum.y() / masses_.sum());
        dissipated.push_back(record.ledger.dissipated);
    }

private:
    void follow(const std::string& text)
    {
        BuiltScene built = rubato::built(scene_from_text(text, "block.json", "."));
        // A mesh like this one has the masses that the block's nodes have; unit speed makes their momenta.
        masses_.resize(built.body_nodes);
        for (Index i = 0; i < built.body_nodes; ++i) {
            Vector unit = Vector::Zero(built.start.x.size());
            unit[3 * i] = 1;
            masses_[i] = built.dynamics->mass_inner(unit, unit);
        }
        Simulation simulation = built.simulation();
        simulation.observe(*this);
        const RunResult result = simulation.run(built.duration);
        finished = result.finished;
        why = result.why;
    }
    Vector masses_;
};

} // namespace rubato::test
