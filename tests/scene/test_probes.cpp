#include "sample.hpp"
#include "scene/probes.hpp"

namespace rubato {

namespace {

/// A block half of dhat above a ground.
BuiltScene block_over_ground()
{
    return built(scene_from_text(R"({
      "gravity": [0, -10, 0], "time": {"duration": 0.1},
      "bodies": [{"mesh": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]}, "translate": [0, 0.1005, 0],
                  "center": true, "density": 1000, "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.3}}],
      "obstacles": [{"type": "half-space", "point": [0, 0, 0]}],
      "contact": {"dhat": 1e-3, "stiffness": 1e4}
    })",
        "block.json", ""));
}

const NodeProbe& probe_called(const std::vector<NodeProbe>& probes, const std::string& name)
{
    for (const NodeProbe& probe : probes) {
        if (probe.name == name) return probe;
    }
    throw std::runtime_error("no probe " + name);
}

} // namespace

/// sigma_i = P_i s_i / J, P_i = mu (s_i - 1/s_i) + lambda log(J)/s_i; stretched along one axis, von Mises is the
/// difference of the two principal stresses, mu (s^2 - 1)/s.
TEST(ProbesTest, StressOfAStretchedBlockIsTheClosedForm)
{
    BuiltScene scene = block_over_ground();
    const std::vector<NodeProbe> probes = frame_probes(scene);
    const double s = 1.25, mu = 1e5 / (2 * 1.3);
    State state = scene.start;
    for (Index i = 0; i < scene.body_nodes; ++i) state.x[3 * i] *= s;
    Vector stress;
    probe_called(probes, "stress").measure(state, stress);
    ASSERT_EQ(stress.size(), scene.body_nodes);
    for (const double value : stress) EXPECT_NEAR(value, mu * (s * s - 1) / s, 1e-9 * mu);

    // Turning changes nothing, and a block at rest has none.
    for (Index i = 0; i < scene.body_nodes; ++i) {
        const Vec3 x = node(state.x, i);
        node(state.x, i) = Vec3(x.y(), x.z(), x.x());
    }
    Vector turned;
    probe_called(probes, "stress").measure(state, turned);
    EXPECT_LT((turned - stress).cwiseAbs().maxCoeff(), 1e-9 * mu);
    probe_called(probes, "stress").measure(scene.start, stress);
    EXPECT_LT(stress.cwiseAbs().maxCoeff(), 1e-9 * mu);
}

TEST(ProbesTest, ForcesOfContactAddUpToTheSlopeOfItsEnergy)
{
    BuiltScene scene = block_over_ground();
    const std::vector<NodeProbe> probes = frame_probes(scene);
    Vector force;
    probe_called(probes, "contact").measure(scene.start, force);

    // All forces on a flat block over a level ground point up, so their sizes add up.
    constexpr double shift = 1e-8; // [m]
    const auto energy_at = [&](double y) {
        Vector x = scene.start.x;
        for (Index i = 0; i < scene.body_nodes; ++i) x[3 * i + 1] += y;
        return scene.dynamics->potential_energy(0, x).contact;
    };
    const double slope = (energy_at(-shift) - energy_at(shift)) / (2 * shift);
    EXPECT_GT(slope, 1);
    EXPECT_NEAR(force.sum(), slope, 1e-5 * slope);
    EXPECT_EQ((force.array() > 0).count(), 9) << "the nodes of the lower side";
}

TEST(ProbesTest, ASceneWithoutContactHasNoForcesOfIt)
{
    BuiltScene scene = built(scene_from_text(small_scene, "small.json", ""));
    const std::vector<NodeProbe> probes = frame_probes(scene);
    ASSERT_EQ(probes.size(), 1u);
    EXPECT_EQ(probes[0].name, "stress");
}

} // namespace rubato
