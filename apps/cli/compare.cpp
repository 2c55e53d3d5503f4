#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"
#include "geometry/files/atomic_file.hpp"
#include "record/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>

namespace rubato::cli {

namespace {

struct CompareArguments {
    SceneArguments scene;
    std::vector<std::string> integrators;
    std::string out;
    int threads = 0;
    bool force = false;
};

/// A method's run is over: what the table shows of it.
struct Row {
    ComparedRun run;
    double weight = 0; ///< of all bodies [N]
    std::string line;
};

std::string line_of(const std::string& name, SceneRun& run, int status)
{
    const RunSummary& summary = run.recording().summary();
    const long steps = std::max(1L, run.simulation().steps());
    return fmt::format("  {:<20} {:>9.3g} J {:>9.3g} J {:>8.1f} s {:>8.2f}  {}\n", name, summary.end_energy(),
        summary.largest_drift(), summary.wall(), static_cast<double>(summary.newton()) / static_cast<double>(steps),
        status == done ? "" : "stopped early");
}

int compare(const CompareArguments& arguments)
{
    set_thread_count(arguments.threads);
    // Everything that can be wrong is wrong before the first run begins.
    std::vector<Scene> scenes;
    for (const std::string& name : arguments.integrators) {
        SceneArguments one = arguments.scene;
        one.integrator = name;
        scenes.push_back(one.read());
    }
    const auto directory = run_directory(arguments.out, scenes.front().name() + "-compared", arguments.force);

    std::vector<Row> rows;
    int status = done;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const std::string& name = arguments.integrators[i];
        SceneRun run(scenes[i], directory / name, program_version());
        run.begin();
        const int ended = executed(run);
        if (ended == interrupted) return interrupted;
        status = std::max(status, ended);
        rows.push_back({{name, directory / name}, run.built().mass() * scenes[i].root.options.vec3("gravity").norm(),
            line_of(name, run, ended)});
        std::cout << '\n';
    }

    std::vector<ComparedRun> runs;
    for (const Row& row : rows) runs.push_back(row.run);
    const std::string title = scenes.front().name();
    std::vector<std::string> written{"energy.svg"};
    write_atomically(directory / "energy.svg", svg(compared_energies(runs, title)));
    if (rows.front().weight > 0) {
        write_atomically(directory / "height.svg", svg(compared_heights(runs, rows.front().weight, title)));
        written.emplace_back("height.svg");
    }
    if (!arguments.scene.no_frames) {
        RunPictureOptions options{.moments = 6, .up = scenes.front().up()};
        options.title = fmt::format("{}; side by side: {}", title, fmt::join(arguments.integrators, ", "));
        options.picture.ground_height = ground_height(scenes.front());
        write_png(directory / "picture.png", compared_moments(runs, options));
        written.emplace_back("picture.png");
    }
    std::cout << fmt::format(
        "  {:<20} {:>11} {:>11} {:>10} {:>8}\n", "integrator", "energy left", "most lost", "time", "Newton");
    for (const Row& row : rows) std::cout << row.line;
    std::cout << fmt::format("wrote {}\n  {}\n", directory.string(), fmt::join(written, ", "));
    return status;
}

} // namespace

void add_compare(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<CompareArguments>();
    CLI::App* command = app.add_subcommand("compare", "Run a scene under several integrators, side by side");
    arguments->scene.declare_without_integrator(*command);
    command->add_option("--integrators", arguments->integrators, "Names from 'rubato list integrators', with commas")
        ->required()
        ->delimiter(',');
    command->add_option("--out", arguments->out, "Directory for all runs (default: runs/<scene>-compared)");
    declare_threads(*command, arguments->threads);
    command->add_flag("--no-frames", arguments->scene.no_frames, "Write no frames and no picture");
    command->add_flag("--force", arguments->force, "Replace what is in --out already");
    command->callback([arguments, &status] { status = compare(*arguments); });
}

} // namespace rubato::cli
