#include "base/parallel.hpp"
#include "commands.hpp"

#include <memory>

namespace rubato::cli {

namespace {

struct RunArguments {
    SceneArguments scene;
    std::string out;
    int threads = 0;
    bool force = false;
};

int run(const RunArguments& arguments)
{
    set_thread_count(arguments.threads);
    const Scene scene = arguments.scene.read();
    const auto directory = run_directory(
        arguments.out, scene.name() + "-" + scene.root.part("integrator").type, arguments.force, any_run);
    SceneRun scene_run(scene, directory, program_version());
    scene_run.begin();
    return run_to_end(scene_run);
}

} // namespace

void add_run(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = app.add_subcommand("run", "Simulate a scene");
    arguments->scene.declare(*command);
    command->add_option("--out", arguments->out, "Run directory (default: runs/<scene>-<integrator>)");
    declare_threads(*command, arguments->threads);
    command->add_flag("--no-frames", arguments->scene.no_frames, "Write no frames");
    command->add_flag("--force", arguments->force, "Replace a run that is in --out already");
    command->callback([arguments, &status] { status = run(*arguments); });
}

} // namespace rubato::cli
