#include "contact_scenes/judged_run.hpp"

namespace rubato::test {
namespace {

/// The sides of a tilted cylinder are long triangles whose boxes overlap each other and all that is near, however short
/// the way is that one asks about.
TEST(Slivers, OfATiltedCylinderLetABlockMoveThroughTheirBoxes)
{
    JudgedRun run(R"({"time": {"step": 0.01, "duration": 0.05}, "integrator": "implicit-euler",
        "bodies": [{"name": "block", "mesh": {"type": "box", "size": [0.3, 0.3, 0.3], "cells": [10, 10, 10]},
                    "translate": [0, 1, 0], "velocity": [{"type": "linear", "velocity": [0, -3, 0]}], "density": 1000,
                    "material": {"type": "neo-hookean", "young": 1e6, "poisson": 0.4}}],
        "obstacles": [{"type": "cylinder", "center": [0, 0, 0], "axis": [1, 1, 1], "radius": 0.4, "height": 6}]})");
    run.run_as_far_as_possible(true);
}

} // namespace
} // namespace rubato::test
