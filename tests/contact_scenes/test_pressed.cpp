#include "contact_scenes/judged_run.hpp"

namespace rubato::test {
namespace {

/// A cube of 1 kg is pressed straight down with 500 N on a table without friction. The sides of the table are two
/// triangles each, and a row of nodes below the cube lies `beside` [m] the edge between the upper two.
TEST(Pressed, OnAnEdgeBetweenTwoTrianglesOfAFloorACubeStaysWhereItIs)
{
    for (const double beside : {0.0005, 0.001}) {
        JudgedRun run(fmt::format(R"({{"time": {{"step": 0.01, "duration": 0.3}}, "integrator": "bdf2",
            "bodies": [{{"name": "cube", "mesh": {{"type": "box", "size": [0.1, 0.1, 0.1], "cells": [4, 4, 4]}},
                         "translate": [{}, 0.0519, 0], "density": 1000,
                         "material": {{"type": "neo-hookean", "young": 1e6, "poisson": 0.3}}}}],
            "forces": [{{"force": [0, -500, 0], "nodes": {{"type": "all"}}}}],
            "obstacles": [{{"type": "box", "name": "table", "center": [0, -0.05, 0], "size": [1, 0.1, 1]}}],
            "contact": {{"dhat": 2e-3, "stiffness": 20}}}})",
            beside));
        double aside = 0; // momentum [kg m/s]
        run.watch = [&](const StepRecord& record) {
            Vec3 linear, angular;
            run.scene().dynamics->momenta(record.state, linear, angular);
            aside = std::max({aside, std::abs(linear.x()), std::abs(linear.z())});
        };
        run.run_cleanly();
        EXPECT_LT(aside, 1e-4) << beside; // 0.087 and 0.063 where each triangle pushed by itself
    }
}

} // namespace
} // namespace rubato::test
