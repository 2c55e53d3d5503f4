#include "contact_scenes/judged_run.hpp"

namespace rubato::test {
namespace {

/// 27 boxes of 10 cm, 2 mm apart, on the ground; a ball flies into them at 20 m/s, two boxes in a whole step.
std::string stack(const std::string& integrator)
{
    return fmt::format(
        R"({{"time": {{"step": "1/100", "duration": 0.3, "controller": "halving"}}, "integrator": "{}", "bodies": [{}, {}],
        "obstacles": ["half-space"], "contact": {{"friction": 0.3}}}})",
        integrator,
        body_text("box", R"({"type": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]})", {-0.102, 0.052, -0.102},
            {0, 0, 0}, 1e6, R"(, "copies": {"type": "grid", "counts": [3, 3, 3], "spacing": [0.102, 0.102, 0.102]})"),
        body_text("ball", R"({"type": "ball", "radius": 0.1, "nodes": 60})", {-0.45, 0.21, 0.013}, {20, 0, 0}, 1e6));
}

class Stack : public testing::TestWithParam<const char*> { };

TEST_P(Stack, Of27BoxesHitByABallFliesApartWithoutACrossing)
{
    JudgedRun run(stack(GetParam()));
    run.run_cleanly();
    double farthest = 0; // [m]
    for (const PlacedBody& body : run.scene().bodies) {
        farthest = std::max(farthest, node(run.state().x, body.first_node)[0]);
    }
    EXPECT_GT(farthest, 0.5) << "the stack was hardly hit";
}

INSTANTIATE_TEST_SUITE_P(Contact, Stack, testing::Values("implicit-euler", "a-search"), test_name);

} // namespace
} // namespace rubato::test
