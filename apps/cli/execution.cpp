#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"
#include "geometry/inversion.hpp"
#include "record/progress.hpp"
#include "stop_signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <unistd.h>

namespace rubato::cli {

namespace {

void tell_files(const SceneRun& run)
{
    const auto& directory = run.recording().directory();
    std::error_code ignored;
    std::cout << "wrote " << printable(directory.string()) << "\n"
              << (std::filesystem::exists(directory / "picture.png", ignored) ? "  picture.png    moments of the run\n"
                                                                              : "")
              << "  energy.svg     energy over time; open it in a browser\n"
              << "  stats.csv      energies, momenta and work of every step\n"
              << "  summary.json   the run in numbers\n"
              << "  scene.json     the scene with every default written out\n";
    if (run.recording().frames().count() > 0 && !run.recording().frames().enabled())
        std::cout << "  frames.rbt     the last good state\n";
    else if (run.recording().frames().count() > 0)
        std::cout << fmt::format("  {:<14} {}; '{} view {}' plays them\n", "frames.rbt",
            counted(run.recording().frames().count(), "frame", "frames"), called_as(), printable(directory.string()));
}

/// Energy that nobody put in and that dwarfs what was there comes from the method.
void tell_drift(const RunSummary& summary)
{
    const double start = summary.start_energy(), injected = std::abs(summary.injected());
    const double scale = std::max(start, injected), drift = summary.largest_drift();
    if (scale == 0 || drift <= 10 * scale) return;
    std::cout << fmt::format(
        "note: the total energy left its balance by {:.3g} J ({:.3g} times the {}): the step is too "
        "long for this method\n",
        drift, drift / scale, start >= injected ? "start" : "injected energy");
}

/// How well a method that steers the energy met its target.
void tell_target(const SceneRun& run)
{
    if (!run.built().integrator_entry->aims_at_target) return;
    const RunSummary& summary = run.recording().summary();
    const TargetError& error = summary.target_error();
    const auto scale = summary.energy_above_ground();
    const auto shown = [&](double joules) {
        return fmt::format("{:.3g} J{}", joules, scale ? fmt::format(" ({:.3g} %)", 100 * joules / *scale) : "");
    };
    const bool met = error.last() <= 1e-9 * scale.value_or(std::abs(summary.end_energy())); // to round-off
    const char* side = met ? "from" : error.above() > 0 ? "above" : "below";
    std::cout << fmt::format("energy: {:.6g} J at the end, {} {} its target; {} on average{}\n", summary.end_energy(),
        shown(error.last()), side, shown(error.mean()), scale ? "; 100 % is what was above the ground level" : "");
    const TargetWatch& watch = summary.target_watch();
    if (watch.sank()) std::cout << fmt::format("note: {}\n", below_ground(watch.sank_at(), watch.depth()));
    if (watch.left()) {
        std::cout << fmt::format(
            "note: {}\n", away_from_target(watch.away(), watch.since(), watch.worst(), watch.reason()));
    }
}

/// Says once each, while the run goes on, that its energy does not follow the target, or that the target means little.
/// What happened before a resumption was told then.
class TargetWarning final : public Observer {
public:
    TargetWarning(const TargetWatch& watch, Progress& progress)
        : watch_(watch)
        , progress_(progress)
        , told_(watch.left())
        , told_below_(watch.sank())
    {
    }
    void step(const StepRecord& record) override
    {
        if (watch_.sank() && !told_below_) {
            told_below_ = true;
            progress_.blank();
            std::cout << fmt::format(
                "note: t = {:.3g} s: the potential energy is below the ground level; something falls or "
                "slides off, or the level is too high\n",
                record.state.t)
                      << std::flush;
        }
        if (told_ || !watch_.left()) return;
        told_ = true;
        progress_.blank();
        std::cout << fmt::format(
            "note: t = {:.3g} s: since t = {:.3g} s the energy does not follow its target, up to {:.3g} % "
            "{} it; {}\n",
            record.state.t, watch_.since(), 100 * std::abs(watch_.worst()), watch_.worst() > 0 ? "above" : "below",
            watch_.reason())
                  << std::flush;
    }

private:
    const TargetWatch& watch_;
    Progress& progress_;
    bool told_, told_below_;
};

/// Where the time went, and how much work it was.
void tell_phases(SceneRun& run)
{
    const RunSummary& summary = run.recording().summary();
    const PhaseTimes times = summary.phases();
    const double wall = summary.wall();
    if (wall <= 0) return;
    std::cout << "time:";
    const auto tell = [&](const char* name, double seconds, const char* end) {
        std::cout << fmt::format(" {} {:.3g} s ({:.0f} %){}", name, seconds, 100 * seconds / wall, end);
    };
    tell("elasticity", times.elasticity, ",");
    if (summary.has_contact()) {
        tell("contact", times.contact, ",");
        tell("CCD", times.ccd, ",");
    }
    tell("linear solves", times.linear, ",");
    tell("output", times.output, ",");
    tell("other", std::max(0.0, wall - times.sum()), "\n");
    std::cout << fmt::format("work: {:.3g} Newton iterations per step, {} in all", // one line per run to compare
        static_cast<double>(summary.newton()) / static_cast<double>(std::max(1L, run.simulation().steps())),
        summary.newton());
    if (summary.local_iterations() > 0)
        std::cout << fmt::format(", {} more on few of the nodes", summary.local_iterations());
    if (summary.linear_iterations() > 0)
        std::cout << fmt::format("; {} of conjugate gradients", summary.linear_iterations());
    std::cout << '\n';
}

void tell_inverted(SceneRun& run)
{
    const Index count = inverted_tets(run.built().mesh.tets, run.simulation().state().x);
    if (count == 0) return;
    std::cout << fmt::format(
        "note: at the end {} inside out or flat\n", counted(count, "tetrahedron is", "tetrahedra are"));
}

} // namespace

void tell_notes(const BuiltScene& built)
{
    for (const std::string& note : built.notes) std::cout << "note: " << printable(note) << '\n';
}

int run_to_end(SceneRun& run)
{
    const BuiltScene& built = run.built();
    const std::string directory = run.recording().directory().string();
    std::cout << fmt::format("{} with {}: {}, {}, {:g} s in steps of {:.6g} s, {}\n", built.name,
        built.integrator_entry->name, counted(built.body_nodes, "node", "nodes"),
        counted(static_cast<long>(built.mesh.tets.size()), "tetrahedron", "tetrahedra"), built.duration, built.step,
        counted(thread_count(), "thread", "threads"));
    if (built.contact) std::cout << "contact: " << built.contact_line << '\n';
    tell_notes(built);
    std::cout << std::flush;

    Progress progress({
        .end_time = built.duration,
        .terminal = isatty(STDERR_FILENO) == 1, // silent where it is not
        .sink = [](std::string_view text) { std::cerr << text << std::flush; },
        .clock = {},
    });
    run.simulation().observe(progress);
    TargetWarning warning(run.recording().summary().target_watch(), progress);
    run.simulation().observe(warning);

    listen_for_stop();
    const RunResult result = run.run(&stop_wanted());
    progress.finish();

    const long steps = run.simulation().steps();
    const double wall = run.recording().summary().wall();
    if (result.finished) {
        std::cout << fmt::format(
            "done: {}, {:g} s simulated in {:.3g} s\n", counted(steps, "step", "steps"), built.duration, wall);
        tell_target(run);
        tell_phases(run);
        tell_files(run);
        tell_drift(run.recording().summary());
        tell_inverted(run);
        return done;
    }
    std::error_code ignored;
    const bool resumable = std::filesystem::exists(run.recording().directory() / "checkpoint.bin", ignored);
    if (result.interrupted) {
        std::cerr << fmt::format("rubato: interrupted after step {}; {}\n", steps,
            resumable ? fmt::format("go on with '{} resume {}'", called_as(), directory)
                      : std::string("it cannot be resumed, because output.checkpoint_every is 0"));
        return interrupted;
    }
    std::cerr << fmt::format("rubato: {}\n", printable(result.why));
    std::cerr << fmt::format(
        "rubato: the last good state (step {}, t = {:.6g} s) is in {}\n", steps, run.simulation().state().t, directory);
    tell_files(run);
    tell_drift(run.recording().summary());
    return could_not_go_on;
}

} // namespace rubato::cli
