/// 1, 8, 27 and 64 balls dropped in a box that is as wide as they need: time per step, and how it grows with their
/// number.
///
///     ball_box [layout=pile|layer] [steps=N] [nodes=N] [largest=N] [threads=N] [integrator=NAME] [linear=NAME]
///
/// n^3 balls of 10 cm and about `nodes` nodes (60), 5 mm apart, in a pile or in one layer, are let go 1 cm above the
/// ground and come to lie in `steps` steps (40) of 1/120 s. `largest` (4) is the last n. The processor time of one
/// thread is what to compare on a machine that has other things to do. Exponents are slopes of straight lines through
/// the logarithms of balls and time.
#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "scene/build.hpp"
#include "scene_arguments.hpp"
#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <sys/resource.h>

namespace {

using namespace rubato;

struct BoxOptions {
    int steps = 40;
    int nodes = 60; ///< of a ball
    bool layer = false;
    int largest = 4;
    std::string integrator = "a-search";
    std::string linear = "cholesky";
};

BoxOptions box_options(int argc, char** argv)
{
    BoxOptions out;
    for (const std::string& argument : std::vector<std::string>(argv + 1, argv + argc)) {
        const auto [name, value] = name_and_value(argument);
        if (name == "steps") {
            out.steps = std::stoi(value);
        } else if (name == "nodes") {
            out.nodes = std::stoi(value);
        } else if (name == "largest") {
            out.largest = std::stoi(value);
        } else if (name == "layout" && (value == "pile" || value == "layer")) {
            out.layer = value == "layer";
        } else if (name == "threads") {
            set_thread_count(std::stoi(value));
        } else if (name == "integrator") {
            out.integrator = value;
        } else if (name == "linear") {
            out.linear = value;
        } else {
            throw InputError(Mistake{
                .value = argument, .message = "expected layout, steps, nodes, largest, threads, integrator or linear"});
        }
    }
    return out;
}

/// How many balls lie along x, y and z.
std::array<int, 3> counts(int n, bool layer)
{
    if (!layer) return {n, n, n};
    return n == 4 ? std::array{8, 1, 8} : std::array{n * n, 1, n}; // as square as can be
}

/// n^3 balls over the ground between four walls.
std::string box_of_balls(int n, const BoxOptions& options)
{
    constexpr double spacing = 0.105; // [m]
    const auto [nx, ny, nz] = counts(n, options.layer);
    const double wall_x = spacing * nx / 2, wall_z = spacing * nz / 2;
    const double first_x = spacing / 2 - wall_x, first_z = spacing / 2 - wall_z;
    const char* gravity = options.layer ? "[3, -9.8, 2]" : "[0, -9.8, 0]";
    return fmt::format(R"({{"name": "ball-box", "time": {{"step": "1/120", "duration": {}}}, "integrator": "{}",
        "gravity": {}, "solver": {{"type": "newton", "linear": "{}"}},
        "bodies": [{{"name": "ball", "mesh": {{"type": "ball", "radius": 0.05, "nodes": {}}}, "translate": [{}, 0.06, {}],
            "density": 1000, "material": {{"type": "neo-hookean", "young": 2e5, "poisson": 0.3}},
            "copies": {{"type": "grid", "counts": [{}, {}, {}], "spacing": [{}, {}, {}], "rotate": true}}}}],
        "obstacles": [{{"type": "half-space", "normal": [0, 1, 0]}},
            {{"type": "half-space", "name": "left", "point": [{}, 0, 0], "normal": [1, 0, 0]}},
            {{"type": "half-space", "name": "right", "point": [{}, 0, 0], "normal": [-1, 0, 0]}},
            {{"type": "half-space", "name": "back", "point": [0, 0, {}], "normal": [0, 0, 1]}},
            {{"type": "half-space", "name": "front", "point": [0, 0, {}], "normal": [0, 0, -1]}}],
        "contact": {{"dhat": 1e-3}}}})",
        options.steps / 120.0, options.integrator, gravity, options.linear, options.nodes, first_x, first_z, nx, ny, nz,
        spacing, spacing, spacing, -wall_x, wall_x, -wall_z, wall_z);
}

/// Of all threads [s].
double processor_seconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

class Sums final : public Observer {
public:
    void step(const StepRecord& record) override
    {
        newton += record.outcome.solve.iterations;
        contacts += record.touching.contacts;
        phases = record.phases;
        wall = record.wall;
    }
    long newton = 0, contacts = 0;
    PhaseTimes phases;
    double wall = 0; ///< [s]
};

struct Times {
    double step, iteration; ///< processor time of one, on average [s]
};

/// Runs n^3 balls and prints a line.
Times times_of(int n, const BoxOptions& options)
{
    BuiltScene built = rubato::built(scene_from_text(box_of_balls(n, options), "ball-box", ""));
    Simulation simulation = built.simulation();
    Sums sums;
    simulation.observe(sums);
    const double began = processor_seconds();
    const RunResult result = simulation.run(built.duration);
    const double cpu = processor_seconds() - began;
    if (!result.finished) throw InputError(Mistake{.message = result.why});
    const double steps = options.steps;
    fmt::print("{},{},{},{},{},{},{:.2f},{:.0f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f}\n", n * n * n,
        options.layer ? "layer" : "pile", options.integrator, options.linear, 3 * built.body_nodes, options.steps,
        static_cast<double>(sums.newton) / steps, static_cast<double>(sums.contacts) / steps, cpu / steps,
        sums.wall / steps, sums.phases.elasticity / steps, sums.phases.contact / steps, sums.phases.ccd / steps,
        sums.phases.linear / steps);
    std::fflush(stdout);
    return {cpu / steps, cpu / static_cast<double>(sums.newton)};
}

/// Slope of the line that fits y over x best.
double slope(const std::vector<double>& x, const std::vector<double>& y)
{
    const auto n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const BoxOptions wanted = box_options(argc, argv);
        fmt::print(
            "balls,layout,integrator,linear_solver,unknowns,steps,newton,contacts,cpu_seconds,seconds,elasticity,"
            "contact,ccd,linear\n");
        std::vector<double> balls, steps, iterations;
        for (int n = 1; n <= wanted.largest; ++n) {
            const Times times = times_of(n, wanted);
            balls.push_back(3 * std::log(n));
            steps.push_back(std::log(times.step));
            iterations.push_back(std::log(times.iteration));
        }
        if (balls.size() < 2) return 0;
        fmt::print(stderr, "time of a step ~ balls^{:.3f}, of a Newton iteration ~ balls^{:.3f}\n", slope(balls, steps),
            slope(balls, iterations));
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
