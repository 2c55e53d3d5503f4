#include "base/parallel.hpp"
#include "commands.hpp"
#include "record/progress.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <iostream>
#include <unistd.h>

namespace rubato::cli {

namespace {

std::atomic<bool> stop_wanted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler writes it");

void want_stop(int) { stop_wanted = true; }

/// The first signal asks for an orderly end; a second one kills, as usual.
void listen_for_signals()
{
    struct sigaction action = {};
    action.sa_handler = want_stop;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void tell_files(const SceneRun& run)
{
    const auto& directory = run.recording().directory();
    std::cout << "wrote " << directory.string() << "\n"
              << "  energy.svg     energy over time; open it in a browser\n"
              << "  stats.csv      energies, momenta and work of every step\n"
              << "  summary.json   the run in numbers\n"
              << "  scene.json     the scene with every default written out\n";
    if (run.recording().frames().enabled()) {
        const bool collection = std::filesystem::exists(directory / "frames.pvd");
        std::cout << fmt::format("  {:<14} {} frames{}\n", collection ? "frames.pvd" : "frames/",
            run.recording().frames().count(), collection ? "; open it in ParaView" : "");
    }
}

} // namespace

int executed(SceneRun& run)
{
    const BuiltScene& built = run.built();
    const std::string directory = run.recording().directory().string();
    std::cout << fmt::format("{} with {}: {} nodes, {} tetrahedra, {:g} s in steps of {:.6g} s, {} threads\n",
        built.name, built.integrator_entry->name, built.mesh.nodes.size(), built.mesh.tets.size(), built.duration,
        built.step, thread_count())
              << std::flush;

    Progress progress({
        .end_time = built.duration,
        .terminal = isatty(STDERR_FILENO) == 1, // silent where it is not
        .sink = [](std::string_view text) { std::cerr << text << std::flush; },
        .clock = {},
    });
    run.simulation().observe(progress);

    listen_for_signals();
    const RunResult result = run.run(&stop_wanted);
    progress.finish();

    const long steps = run.simulation().steps();
    const double wall = run.recording().summary().wall();
    if (result.finished) {
        std::cout << fmt::format("done: {} steps, {:g} s simulated in {:.3g} s\n", steps, built.duration, wall);
        tell_files(run);
        return done;
    }
    const bool resumable = std::filesystem::exists(run.recording().directory() / "checkpoint.bin");
    if (result.interrupted) {
        std::cerr << fmt::format("rubato: interrupted after step {}; {}\n", steps,
            resumable ? "go on with 'rubato resume " + directory + "'"
                      : "it cannot be resumed, because output.checkpoint_every is 0");
        return interrupted;
    }
    std::cerr << fmt::format("rubato: {}\n", result.why);
    std::cerr << fmt::format(
        "rubato: the last good state (step {}, t = {:.6g} s) is in {}\n", steps, run.simulation().state().t, directory);
    tell_files(run);
    return could_not_go_on;
}

} // namespace rubato::cli
