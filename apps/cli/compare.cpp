#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "beside.hpp"
#include "commands.hpp"
#include "geometry/files/atomic_file.hpp"
#include "lab/equal_time.hpp"
#include "record/comparison.hpp"
#include "record/run_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

struct CompareArguments {
    SceneArguments scene;
    std::vector<std::string> integrators;
    std::string out;
    int threads = 0;
    bool force = false, same_step_only = false;
};

/// One method at one step.
struct ComparedMethod {
    std::string name;
    fs::path directory;
    double h = 0; ///< [s]; 0: that of the scene
};

/// What a run said on its way out, with the name of the method; the rest is in its directory.
void tell_errors(const std::string& name, const std::string& text)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("rubato: ")) std::cerr << fmt::format("rubato: {}: {}\n", name, line.substr(8));
    }
}

void tell_interrupted(const fs::path& directory)
{
    std::cerr << fmt::format(
        "rubato: interrupted; what was computed is in {0}, and '{1} resume {0}/NAME' goes on with one run\n",
        printable(directory.string()), called_as());
}

/// What all runs of a comparison share.
class Comparison {
public:
    Comparison(const CompareArguments& arguments, const std::vector<Scene>& scenes)
        : arguments_(arguments)
    {
        const BuiltScene built = rubato::built(scenes.front(), GroundSearch::never);
        duration_ = built.duration;
        const int threads = thread_count();
        at_a_time_ = runs_at_a_time(arguments.integrators.size(), threads, built.body_nodes);
        threads_each_ = std::max(1, threads / at_a_time_);
    }

    /// Runs the methods. Those that cannot go on are told of, and keep what they have. Returns could_not_go_on if there
    /// are such, interrupted after Ctrl-C, and internal_error if one came to nothing.
    int run(const std::vector<ComparedMethod>& methods) const
    {
        std::vector<SideRun> runs;
        for (const ComparedMethod& method : methods)
            runs.push_back({method.name, words(method), method.directory, duration_});
        int worst = done;
        const std::vector<SideResult> results = run_beside(runs, at_a_time_);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const SideResult& result = results[i];
            if (result.status == done) continue;
            if (result.status == interrupted) return interrupted;
            tell_errors(runs[i].name, result.text);
            if (result.status != could_not_go_on) {
                std::cerr << fmt::format("rubato: {}: the run ended with status {}\n", runs[i].name, result.status);
                return internal_error;
            }
            worst = could_not_go_on;
        }
        return worst;
    }
    int at_a_time() const { return at_a_time_; }
    int threads_each() const { return threads_each_; }

private:
    std::vector<std::string> words(const ComparedMethod& method) const
    {
        const SceneArguments& scene = arguments_.scene;
        std::vector<std::string> all{"run", scene.scene, "--integrator", method.name, "--out",
            method.directory.string(), "--force", "--threads", std::to_string(threads_each_)};
        for (const std::string& setting : scene.settings) all.insert(all.end(), {"--set", setting});
        if (method.h > 0) {
            all.insert(all.end(), {"--dt", fmt::format("{}", method.h)});
        } else if (!scene.dt.empty()) {
            all.insert(all.end(), {"--dt", scene.dt});
        }
        if (!scene.duration.empty()) all.insert(all.end(), {"--duration", scene.duration});
        if (scene.no_frames) all.emplace_back("--no-frames");
        return all;
    }

    const CompareArguments& arguments_;
    double duration_ = 0; ///< [s]
    int at_a_time_ = 1, threads_each_ = 1;
};

void tell_table(const char* title, const std::vector<ComparedMethod>& methods)
{
    std::vector<RunFigures> runs;
    for (const ComparedMethod& method : methods) runs.push_back(run_figures(method.directory));
    const auto bouncing = std::find_if(runs.begin(), runs.end(), [](const RunFigures& run) { return run.bounces; });
    const bool bounces = bouncing != runs.end();
    std::cout << fmt::format("{}\n  {:<20} {:>10} {:>8} {:>8} {:>11} {:>11} {:>9} {:>8}{}\n", title, "integrator",
        "step", "steps", "kept", "energy left", "most off", "time", "Newton", bounces ? "  bounces" : "");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const RunFigures& run = runs[i];
        const auto left = run.energy_left();
        std::cout << fmt::format("  {:<20} {:>8.3g} s {:>8} {:>8} {:>9.3g} J {:>9.3g} J {:>7.1f} s {:>8.2f}{}{}\n",
            methods[i].name, run.step, run.steps, left ? share_kept(*left, 1) : "", run.end_energy, run.largest_drift,
            run.wall, run.newton_per_step, run.bounces ? "  " + run.bounces->shares() : "",
            run.status == "finished" ? "" : "  stopped early");
    }
    std::cout << fmt::format("  kept: of the energy at the start{}{}\n",
        runs.front().counted_from().empty() ? "" : "; ", runs.front().counted_from());
    if (std::any_of(runs.begin(), runs.end(), [](const RunFigures& run) { return run.energy_left().value_or(0) < 0; }))
        std::cout << "  below: less energy than the ground level, or than none\n";
    if (!bounces) return;
    std::cout << fmt::format("  bounces: how high the centre of mass rises again, of a drop of {:.2g} m; energy may be "
                             "kept and not be seen, as fast vibration\n",
        bouncing->bounces->drop);
}

/// For each method the step at which it takes as long as the slowest at the common step (You, Zheng, Li, sec. 5).
/// Methods that did not finish are left out. Nothing: it was interrupted.
std::optional<std::vector<ComparedMethod>> in_the_same_time(
    const Comparison& comparison, const std::vector<ComparedMethod>& methods, const fs::path& directory)
{
    struct Search {
        ComparedMethod method;
        EqualTimeSearch steps;
        fs::path nearest; ///< the run whose time is the nearest so far
    };
    double slowest = 0;
    for (const ComparedMethod& method : methods) {
        const RunFigures run = run_figures(method.directory);
        if (run.status == "finished") slowest = std::max(slowest, run.wall);
    }
    std::vector<Search> searches;
    for (const ComparedMethod& method : methods) {
        const RunFigures run = run_figures(method.directory);
        if (run.status != "finished") continue;
        searches.push_back({{method.name, directory / method.name, run.step},
            EqualTimeSearch(slowest, {run.step, run.wall}), method.directory});
    }
    // All searches take their trials side by side, as the runs at the common step went.
    for (int round = 1;; ++round) {
        std::vector<ComparedMethod> trials;
        std::vector<Search*> asking;
        for (Search& search : searches) {
            if (const auto h = search.steps.next()) {
                trials.push_back({search.method.name, directory / fmt::format("{}-{}", search.method.name, round), *h});
                asking.push_back(&search);
            }
        }
        if (trials.empty()) break;
        if (const int status = comparison.run(trials); status == interrupted || status == internal_error) return {};
        for (std::size_t i = 0; i < trials.size(); ++i) {
            const RunFigures run = run_figures(trials[i].directory);
            std::error_code ignored;
            asking[i]->steps.add({trials[i].h, run.status == "finished" ? run.wall : 1e9});
            const fs::path worse = asking[i]->steps.best().h == trials[i].h ? asking[i]->nearest : trials[i].directory;
            if (worse.parent_path() == directory) fs::remove_all(worse, ignored);
            if (worse != trials[i].directory) asking[i]->nearest = trials[i].directory;
        }
    }
    std::vector<ComparedMethod> found;
    for (Search& search : searches) {
        // The slowest method is its own answer; others get their names back.
        if (search.nearest.parent_path() == directory) {
            std::error_code ignored;
            fs::remove_all(search.method.directory, ignored);
            fs::rename(search.nearest, search.method.directory, ignored);
            search.nearest = search.method.directory;
        }
        found.push_back({search.method.name, search.nearest, search.steps.best().h});
    }
    return found;
}

ReportSection section_of(std::string title, std::string text, const std::vector<ComparedMethod>& methods)
{
    std::vector<fs::path> directories;
    for (const ComparedMethod& method : methods) directories.push_back(method.directory);
    ReportSection section{std::move(title), std::move(text), shown_runs(directories)};
    for (std::size_t i = 0; i < methods.size(); ++i) section.runs[i].name = methods[i].name;
    return section;
}

/// The page and its plots are replaced. Runs go to folders below, and those of the search for the same time are removed
/// again: what is there must be runs.
void require_replaceable(const fs::path& directory, const std::vector<std::string>& integrators)
{
    std::vector<OwnFile> files{{"report.html", report_begin()}};
    for (const char* plot : {"energy", "height", "newton"}) {
        for (const char* section : {"", "-2"})
            files.push_back({fmt::format("report-{}{}.svg", plot, section), plot_begin});
    }
    require_own(directory, files);
    const auto require = [](const fs::path& folder) {
        std::error_code ignored;
        if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
            throw InputError(Mistake{.file = folder.string(), .message = "is a file, must be a directory"});
        if (takes_run(folder)) return;
        throw InputError(
            Mistake{.file = folder.string(), .message = "holds files, but no run that --force could replace"});
    };
    for (const std::string& name : integrators) require(directory / name);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(directory / "same-time", ignored)) require(entry.path());
}

int compare(const CompareArguments& arguments)
{
    set_thread_count(arguments.threads);
    // Everything that can be wrong is wrong before the first run begins.
    std::vector<Scene> scenes;
    for (const std::string& name : arguments.integrators) {
        if (std::count(arguments.integrators.begin(), arguments.integrators.end(), name) > 1)
            throw InputError(Mistake{.file = "--integrators", .value = name, .message = "is given twice"});
        SceneArguments one = arguments.scene;
        one.integrator = name;
        scenes.push_back(one.read());
    }
    const auto directory
        = run_directory(arguments.out, scenes.front().name() + "-compared", arguments.force, own_files);
    require_replaceable(directory, arguments.integrators);
    const Comparison comparison(arguments, scenes);
    std::cout << fmt::format("{} under {}: {} at a time, {} each\n", scenes.front().name(),
        fmt::join(arguments.integrators, ", "), counted(comparison.at_a_time(), "run", "runs"),
        counted(comparison.threads_each(), "thread", "threads"))
              << std::flush;

    std::vector<ComparedMethod> methods;
    for (const std::string& name : arguments.integrators) methods.push_back({name, directory / name});
    const int status = comparison.run(methods);
    if (status == interrupted) tell_interrupted(directory);
    if (status == interrupted || status == internal_error) return status;
    tell_table("At the same step:", methods);

    ReportOptions page{.title = scenes.front().name(), .sections = {}};
    page.sections.push_back(section_of(
        "At the same step", "Every method with the same steps. What they cost differs; see the table.", methods));
    std::vector<ComparedMethod> equal;
    if (!arguments.same_step_only) {
        std::cout << "Looking for the steps at which all take as long as the slowest ...\n" << std::flush;
        const auto found = in_the_same_time(comparison, methods, directory / "same-time");
        if (!found) {
            tell_interrupted(directory);
            return interrupted;
        }
        equal = *found;
    }
    if (!equal.empty()) {
        tell_table("In the same time:", equal);
        page.sections.push_back(section_of("In the same time",
            "Every method with the step at which its run takes about as long (see the table) as the slowest at the "
            "common "
            "step: "
            "what each can do with the same time on this machine.",
            equal));
    }
    write_report(directory / "report.html", std::move(page));
    return status;
}

} // namespace

void add_compare(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<CompareArguments>();
    CLI::App* command = app.add_subcommand("compare", "Run a scene under several integrators, side by side");
    arguments->scene.declare_without_integrator(*command);
    command
        ->add_option(
            "--integrators", arguments->integrators, "Names that the command 'list integrators' shows, with commas")
        ->required()
        ->delimiter(',');
    command->add_option("--out", arguments->out, "Directory for all runs (default: runs/<scene>-compared)");
    declare_threads(*command, arguments->threads);
    command->add_flag("--same-step-only", arguments->same_step_only, "Do not compare in the same time as well");
    command->add_flag("--no-frames", arguments->scene.no_frames, "Write no frames and no pictures");
    command->add_flag("--force", arguments->force, "Replace what is in --out already");
    command->callback([arguments, &status] { status = compare(*arguments); });
}

} // namespace rubato::cli
