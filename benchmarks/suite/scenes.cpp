#include "suite/child_run.hpp"
#include "suite/clocks.hpp"
#include "suite/parts.hpp"

/// Whole runs on one thread: the scenes of benchmarks/scenes as they are, and some steps of the built-in ones.
namespace rubato {

namespace {

struct Timed {
    const char* name;
    int steps; ///< 0: all
};

// Steps are chosen such that contact, where there is any, is among them.
constexpr Timed scenes[] = {{"ball-drop-soft", 0}, {"ball-drop-medium", 0}, {"ball-drop-stiff", 0}, {"clamped-bar", 0},
    {"two-balls-soft", 0}, {"two-balls-medium", 0}, {"ball-tower", 0}, {"bouncing-ball", 120}, {"dice-roll", 40},
    {"bunny-stairs", 40}, {"bunny-splash", 4}, {"rotating-cube-soft", 30}, {"rotating-cube-stiff", 30},
    {"twisted-bar", 10}, {"stretched-cube", 30}, {"hanging-bar", 30}, {"random-cube-medium", 1}};

constexpr double patience = 8; // [s]: a scene that took so long is not repeated

} // namespace

void measure_scenes(Findings& findings)
{
    constexpr double milli = 1e3, mebi = 1 << 20;
    const std::string table = "scenes, one thread", where = "where the time of a step goes, one thread";
    for (const Timed& scene : scenes) {
        std::vector<RunCost> runs;
        const double began = wall_seconds();
        while (static_cast<int>(runs.size()) < findings.repetitions()
            && (runs.empty() || wall_seconds() - began < patience)) {
            findings.progress(std::string(scene.name) + ", run " + std::to_string(runs.size() + 1));
            runs.push_back(cost_of({.scene = scene.name, .steps = scene.steps}));
        }
        const RunCost& first = runs.front();
        const auto each = [&](auto quantity) {
            std::vector<double> out;
            for (const RunCost& run : runs) out.push_back(quantity(run));
            return out;
        };
        findings.fact(table, scene.name, "nodes", first.nodes);
        findings.fact(table, scene.name, "tetrahedra", first.tets);
        findings.fact(table, scene.name, "steps", first.steps);
        findings.fact(table, scene.name, "Newton", first.newton);
        findings.fact(table, scene.name, "CG", first.linear);
        findings.time(table, scene.name, "processor time per step", "ms",
            each([&](const RunCost& run) { return milli * run.processor / run.steps; }));
        findings.time(
            table, scene.name, "peak memory", "MiB", each([&](const RunCost& run) { return run.memory / mebi; }));
        // Phases are known by the clock on the wall: their shares of it, of the processor time.
        const auto phase = [&](const char* column, double RunCost::*seconds) {
            findings.time(where, scene.name, column, "ms",
                each([&](const RunCost& run) { return milli * run.processor / run.steps * run.*seconds / run.wall; }));
        };
        phase("elasticity", &RunCost::elasticity);
        phase("contact", &RunCost::contact);
        phase("collision detection", &RunCost::ccd);
        phase("linear systems", &RunCost::linear_solve);
        phase("output", &RunCost::output);
        phase("other", &RunCost::other);
    }
}

} // namespace rubato
