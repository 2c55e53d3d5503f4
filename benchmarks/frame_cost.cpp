/// What frames cost a simulation: a thin plate with about 100 000 shown vertices, run with 30 frames per second of
/// simulated time and without, in turn.
///
///     frame_cost [cells=N] [steps=N] [rounds=N] [threads=N] [dir=FOLDER]
///
/// The plate has N x N x 1 cells (223), free in space and set swinging; steps are of 1/30 s, so that every one is a
/// frame. Times are wall-clock times of the whole run but for the building of the scene, the last frame on the disk
/// included.
#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "scene/run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace {

using namespace rubato;

std::string plate(int cells, int steps, double frames_per_second)
{
    return fmt::format(R"({{
      "name": "plate", "gravity": [0, 0, 0], "time": {{"step": "1/30", "duration": {}}}, "integrator": "implicit-euler",
      "solver": {{"linear": "conjugate-gradients"}},
      "bodies": [{{"name": "plate", "mesh": {{"type": "box", "size": [1, 0.005, 1], "cells": [{}, 1, {}]}},
                  "density": 1000, "material": {{"type": "stable-neo-hookean", "young": 1e5, "poisson": 0.4}},
                  "velocity": [{{"type": "angular", "axis": [0, 0, 1], "rate": 1}}]}}],
      "output": {{"frames_per_second": {}, "checkpoint_every": 0, "picture": false}}
    }})",
        steps / 30.0, cells, cells, frames_per_second);
}

/// Wall-clock time of a run [s].
double seconds_of(const std::string& scene, const std::filesystem::path& directory)
{
    SceneRun run(scene_from_text(scene, "plate", ""), directory, "benchmark");
    run.begin();
    const auto start = std::chrono::steady_clock::now();
    run.run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int number_after(const std::string& argument, const char* name, int otherwise)
{
    return argument.starts_with(name) ? std::stoi(argument.substr(std::string(name).size())) : otherwise;
}

} // namespace

int main(int argc, char** argv)
{
    int cells = 223, steps = 6, rounds = 2;
    std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("rubato-frames-{}", ::getpid());
    for (const std::string& argument : std::vector<std::string>(argv + 1, argv + argc)) {
        cells = number_after(argument, "cells=", cells);
        steps = number_after(argument, "steps=", steps);
        rounds = number_after(argument, "rounds=", rounds);
        if (argument.starts_with("threads=")) set_thread_count(std::stoi(argument.substr(8)));
        if (argument.starts_with("dir=")) folder = argument.substr(4);
    }
    fmt::print("round,without_s,with_s,ratio\n");
    for (int round = 0; round < rounds; ++round) {
        const double without = seconds_of(plate(cells, steps, 0), folder / "without");
        const double with = seconds_of(plate(cells, steps, 30), folder / "with");
        fmt::print("{},{:.3f},{:.3f},{:.4f}\n", round, without, with, with / without);
        std::fflush(stdout);
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
}
