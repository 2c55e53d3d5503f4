#include "contact_scenes/judged_run.hpp"

namespace rubato::test {
namespace {

/// 25 blocks of stone on top of each other, each 1 cm beside the one below.
const char* const leaning_column = R"({
    "gravity": [0, -9.81, 0], "time": {"step": "1/60", "duration": 0.05},
    "bodies": [{"name": "block", "mesh": {"type": "box", "size": [0.4, 0.2, 0.4], "cells": [1, 1, 1]},
        "translate": [0, 0.101, 0], "density": 2400, "material": {"type": "neo-hookean", "young": 2e10, "poisson": 0.2},
        "copies": {"type": "row", "count": 25, "step": [0.01, 0.201, 0]}}],
    "obstacles": ["half-space"], "contact": {"dhat": 1e-3, "friction": 0.6}})";

TEST(StiffBlocks, InContactAreSolvedForByAFactorisation)
{
    JudgedRun run(leaning_column);
    double newton = 0, linear = 0;
    run.watch = [&](const StepRecord& record) {
        newton += record.outcome.solve.iterations;
        linear += record.outcome.solve.linear_iterations;
    };
    run.run_cleanly();
    EXPECT_GT(newton, 2);
    EXPECT_LT(linear, 50 * newton) << newton << " iterations"; // conjugate gradients alone take 150 in each
}

} // namespace
} // namespace rubato::test
