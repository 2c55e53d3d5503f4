/// What frames of about 100 000 points cost a simulation: the same run with 30 frames per second of simulated time and
/// without, in turn, the first of the two taking turns as well.
///
///     frame_cost [shape=plate|ball] [steps=N] [rounds=N] [points=N] [dt=H] [threads=N] [dir=FOLDER]
///
/// plate  a thin plate whose nodes are all on its surface: points and unknowns grow together. Steps of 1/30 s, so that
///        every one is a frame
/// ball   a ball of 3000 nodes that shows a surface of so many points: the simulation is small and its frames are
///        large. Steps of 1/120 s, every fourth is a frame
///
/// Both swing freely. A line for each round, then the medians:
///
///     without_s, with_s, ratio   wall-clock time of the run, the last frame on the disk included; only for a machine
///                                that has nothing else to do
///     first_ms, loop_ms          processor time that the loop spends on the first frame, which begins the file, and
///                                on each of the others
///     writer_ms                  processor time per frame of the thread that writes
///     share                      all of that over what is left of the processor time of the run: how much longer it
///                                takes where no processor is free for the writer. It is measured within one run
///
/// The last three need threads=1, which is the default: only then the loop is one thread.
#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "scene/build.hpp"
#include "scene/probes.hpp"
#include "scene_arguments.hpp"
#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace rubato;

struct CostOptions {
    bool plate = true;
    int steps = 30, rounds = 3, points = 100'000;
    std::string dt;
    fs::path folder = fs::temp_directory_path() / fmt::format("rubato-frames-{}", ::getpid());
};

CostOptions cost_options(int argc, char** argv)
{
    CostOptions out;
    for (const std::string& argument : std::vector<std::string>(argv + 1, argv + argc)) {
        const auto [name, value] = name_and_value(argument);
        if (name == "shape" && (value == "plate" || value == "ball")) {
            out.plate = value == "plate";
        } else if (name == "steps") {
            out.steps = std::stoi(value);
        } else if (name == "rounds") {
            out.rounds = std::stoi(value);
        } else if (name == "points") {
            out.points = std::stoi(value);
        } else if (name == "dt") {
            out.dt = value;
        } else if (name == "threads") {
            set_thread_count(std::stoi(value));
        } else if (name == "dir") {
            out.folder = value;
        } else {
            throw InputError(Mistake{
                .value = argument, .message = "expected shape=plate|ball, steps, rounds, points, dt, threads or dir"});
        }
    }
    if (out.dt.empty()) out.dt = out.plate ? "1/30" : "1/120";
    return out;
}

/// A round surface of about so many points, cut by longitudes and latitudes.
void write_globe(const fs::path& file, int points)
{
    const int high = std::max(3, static_cast<int>(std::lround(std::sqrt(points / 2.0)))), around = 2 * high;
    std::ofstream out(file);
    for (int j = 1; j < high; ++j) {
        for (int i = 0; i < around; ++i) {
            const double theta = M_PI * j / high, phi = M_PI * i / high, r = 0.1; // [m]
            out << fmt::format("v {} {} {}\n", r * std::sin(theta) * std::cos(phi), r * std::cos(theta),
                r * std::sin(theta) * std::sin(phi));
        }
    }
    out << "v 0 0.1 0\nv 0 -0.1 0\n";
    const int north = (high - 1) * around + 1, south = north + 1;
    const auto number = [&](int j, int i) { return (j - 1) * around + i % around + 1; };
    for (int i = 0; i < around; ++i) {
        out << fmt::format("f {} {} {}\n", north, number(1, i + 1), number(1, i));
        for (int j = 1; j + 1 < high; ++j)
            out << fmt::format(
                "f {} {} {} {}\n", number(j, i), number(j, i + 1), number(j + 1, i + 1), number(j + 1, i));
        out << fmt::format("f {} {} {}\n", south, number(high - 1, i), number(high - 1, i + 1));
    }
}

std::string scene_text(const CostOptions& options)
{
    const int cells = static_cast<int>(std::lround(std::sqrt(options.points / 2.0))) - 1;
    const std::string shape = options.plate
        ? fmt::format(R"("mesh": {{"type": "box", "size": [1, 0.005, 1], "cells": [{0}, 1, {0}]}})", cells)
        : R"("mesh": {"type": "ball", "radius": 0.1, "nodes": 3000}, "surface": {"path": "globe.obj"})";
    return fmt::format(R"({{
      "name": "frames", "gravity": [0, 0, 0], "time": {{"step": "{}", "duration": 1000}}, "integrator": "implicit-euler",
      "solver": {{"linear": "{}"}},
      "bodies": [{{"name": "body", {}, "density": 1000,
                  "material": {{"type": "stable-neo-hookean", "young": 1e5, "poisson": 0.4}},
                  "velocity": [{{"type": "ramp", "axis": [1, 0, 0], "velocity": [0, 1, 0]}}]}}]
    }})",
        options.dt, options.plate ? "conjugate-gradients" : "cholesky", shape);
}

double wall_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Processor time of this thread, or of all.
double processor_seconds(clockid_t whose)
{
    timespec now{};
    ::clock_gettime(whose, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Frames, and what the loop spends on them.
class TimedFrames : public Observer {
public:
    explicit TimedFrames(FrameWriter& frames)
        : frames_(frames)
    {
    }
    void step(const StepRecord& record) override
    {
        const double began = processor_seconds(CLOCK_THREAD_CPUTIME_ID);
        const long before = frames_.count();
        frames_.step(record);
        const double took = processor_seconds(CLOCK_THREAD_CPUTIME_ID) - began;
        (before == 0 ? first : others) += took;
    }
    double first = 0, others = 0; ///< [s]

private:
    FrameWriter& frames_;
};

struct Cost {
    double wall = 0; ///< of the run [s]
    double first = 0, others = 0; ///< processor time of the loop in frames [s]
    double writer = 0; ///< processor time of all other threads [s]
    double rest = 0; ///< processor time of the loop in everything else [s]
    long frames = 0;
};

Cost cost(const CostOptions& options, double frames_per_second)
{
    BuiltScene built = rubato::built(scene_from_text(scene_text(options), "benchmark", options.folder));
    Simulation simulation = built.simulation();
    FrameWriter frames(
        options.folder / "run", built.mesh, built.skin, {.per_second = frames_per_second}, {}, frame_probes(built));
    TimedFrames timed(frames);
    simulation.observe(timed);
    const double all = processor_seconds(CLOCK_PROCESS_CPUTIME_ID), loop = processor_seconds(CLOCK_THREAD_CPUTIME_ID),
                 began = wall_seconds();
    const RunResult result = simulation.run(options.steps * built.step);
    frames.close();
    Cost cost{.wall = wall_seconds() - began,
        .first = timed.first,
        .others = timed.others,
        .rest = processor_seconds(CLOCK_THREAD_CPUTIME_ID) - loop,
        .frames = frames.count()};
    cost.writer = processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - all - cost.rest;
    cost.rest -= cost.first + cost.others;
    if (!result.finished) throw InputError(Mistake{.message = result.why});
    std::error_code ignored;
    fs::remove_all(options.folder / "run", ignored);
    return cost;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

void measure(const CostOptions& options)
{
    fs::create_directories(options.folder);
    if (!options.plate) write_globe(options.folder / "globe.obj", options.points);
    fmt::print("shape,steps,frames,round,without_s,with_s,ratio,first_ms,loop_ms,writer_ms,share\n");
    const auto print = [&](long frames, const std::string& round, const std::vector<double>& v) {
        fmt::print("{},{},{},{},{:.3f},{:.3f},{:.4f},{:.2f},{:.2f},{:.2f},{:.4f}\n", options.plate ? "plate" : "ball",
            options.steps, frames, round, v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
        std::fflush(stdout);
    };
    std::vector<std::vector<double>> columns(7);
    long frames = 0;
    for (int round = 0; round < options.rounds; ++round) {
        Cost with, without;
        if (round % 2 == 0) without = cost(options, 0);
        with = cost(options, 30);
        if (round % 2 == 1) without = cost(options, 0);
        frames = with.frames;
        const auto count = static_cast<double>(frames);
        const double writer = with.writer - without.writer; // other threads may do something else besides
        const std::vector<double> row{without.wall, with.wall, with.wall / without.wall, 1000 * with.first,
            1000 * with.others / std::max(1.0, count - 1), 1000 * writer / std::max(1.0, count),
            (with.first + with.others + writer) / with.rest};
        for (std::size_t i = 0; i < row.size(); ++i) columns[i].push_back(row[i]);
        print(frames, std::to_string(round), row);
    }
    std::vector<double> medians;
    for (const std::vector<double>& column : columns) medians.push_back(median(column));
    print(frames, "median", medians);
    std::error_code ignored;
    fs::remove_all(options.folder, ignored);
}

} // namespace

int main(int argc, char** argv)
{
    set_thread_count(1);
    try {
        measure(cost_options(argc, argv));
    } catch (const std::exception& error) {
        fmt::print(stderr, "frame_cost: {}\n", error.what());
        return 2;
    }
}
