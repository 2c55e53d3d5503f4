#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"

#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace rubato::cli {

void add_resume(CLI::App& app, int& status)
{
    struct Arguments {
        std::string directory;
        int threads = 0;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("resume", "Go on from the last checkpoint of a run, bit for bit");
    command->add_option("directory", arguments->directory, "The run directory")->required();
    declare_threads(*command, arguments->threads);
    command->callback([arguments, &status] {
        set_thread_count(arguments->threads);
        const auto run = SceneRun::resumed(arguments->directory, program_version());
        if (!run->note().empty()) std::cerr << "rubato: " << printable(run->note()) << '\n';
        const double t = run->simulation().state().t;
        if (t >= run->built().duration) {
            run->run(); // no step, but what a kill in the last moment left unwritten
            std::cout << fmt::format("already finished at t = {:.6g} s; nothing to do\n", t);
            return;
        }
        std::cout << "going on after step " << run->simulation().steps() << '\n';
        status = run_to_end(*run);
    });
}

} // namespace rubato::cli
