#include "base/errors.hpp"
#include "base/options.hpp"
#include "commands.hpp"
#include "geometry/files/formats.hpp"
#include "scene/contact.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <iostream>

namespace {

using namespace rubato;

const char* const caller = "RUBATO_CALLED_AS"; ///< ./run sets it: what it calls is not what the user typed

/// {0}: the program.
constexpr const char* examples = R"(Examples:
  {0} scenes                                     what can be simulated at once
  {0} run hanging-bar                            simulate a built-in scene
  {0} run my.json --integrator bdf2 --dt 1/100   another method, another step
  {0} run my.json --set bodies[0].material.young=1e6
  {0} check my.json                              every mistake at once
  {0} compare bouncing-ball --integrators bdf2,a-search   side by side
  {0} resume runs/hanging-bar-implicit-midpoint  go on from the last checkpoint
  {0} mesh bunny.obj -o bunny.msh --scene drop.json   fill a surface with tetrahedra, and a scene to begin with
  {0} view runs/bouncing-ball-a-search           play a run in the browser; several stand side by side
  {0} render runs/bouncing-ball-a-search -o ball.mp4   a movie, without a screen
  {0} thumbnail runs/my-bdf2                     a picture of a run, a scene or a mesh
  {0} export runs/my-bdf2 --to usd,gltf          the motion for other programs
  {0} reproduce table-2                          a published table, ours beside theirs
  {0} analyze stability                          what a step of each method does to an oscillator
  {0} bench --all                                how fast it is on this machine
  {0} list integrators                           what there is to choose from

Exit status: 0 done, 2 the input is wrong, 3 the simulation could not go on, 130 interrupted.)";

int parsed(CLI::App& app, int argc, char** argv)
{
    // CLI11 takes an unknown word for a stray argument; say what it might have been.
    if (argc > 1 && argv[1][0] != '-') {
        std::vector<std::string> names;
        for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
            names.push_back(command->get_name());
        }
        if (std::find(names.begin(), names.end(), argv[1]) == names.end()) {
            const std::string best = closest(argv[1], names);
            std::cerr << "rubato: unknown command '" << argv[1] << "'"
                      << (best.empty() ? "; '" + cli::called_as() + " --help' lists them"
                                       : "; did you mean '" + best + "'?")
                      << '\n';
            return cli::wrong_input;
        }
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& e) {
        return app.exit(e);
    } catch (const CLI::ExtrasError&) {
        // The library lists them backwards.
        const std::vector<std::string> unknown = app.remaining(true);
        std::cerr << fmt::format("rubato: unknown argument{} {}; '{} --help' says more\n",
            unknown.size() == 1 ? "" : "s", fmt::join(unknown, " "), cli::called_as());
        return cli::wrong_input;
    } catch (const CLI::ParseError& e) {
        std::cerr << "rubato: " << e.what() << "; '" << cli::called_as() << " --help' says more\n";
        return cli::wrong_input;
    }
    return cli::done;
}

void tell(const InputError& error)
{
    const std::vector<Mistake>& all = error.mistakes();
    const std::size_t most = most_mistakes_told + 1; // the last may tell how many more there are
    for (std::size_t i = 0; i < std::min(all.size(), most); ++i) std::cerr << "rubato: " << all[i].text() << '\n';
    if (all.size() > most) {
        std::cerr << "rubato: and " << all.size() - most << " more mistakes\n";
    } else if (all.size() > 1 && all.size() < most) {
        std::cerr << "rubato: " << all.size() << " mistakes\n";
    }
}

/// Leaves the triangles that start in each other in the current folder, to be looked at.
void write_offending(const IntersectionError& error)
{
    if (error.where.triangles.empty()) return;
    const std::string file = error.scene + "-intersections.ply";
    try {
        write_surface(file, surface_of(error.where));
        std::cerr << "rubato: the triangles concerned are in " << file << '\n';
    } catch (const WriteError& unwritten) {
        std::cerr << "rubato: " << unwritten.what() << '\n';
    }
}

} // namespace

std::string rubato::cli::program_version() { return RUBATO_VERSION; }

std::string rubato::cli::called_as()
{
    const char* name = std::getenv(caller);
    return name == nullptr ? "rubato" : name;
}

int main(int argc, char** argv)
{
    // Inherited by the programs that `compare` starts.
    if (argc > 0) ::setenv(caller, argv[0], 0);
    CLI::App app("Rubato: elastic things that move, and keep as much energy as you say.", cli::called_as());
    app.footer(fmt::format(examples, cli::called_as()));
    app.set_version_flag("--version", "rubato " + cli::program_version());
    app.require_subcommand(1);
    int status = cli::done;
    cli::add_run(app, status);
    cli::add_compare(app, status);
    cli::add_view(app, status);
    cli::add_render(app, status);
    cli::add_report(app, status);
    cli::add_scenes(app, status);
    cli::add_list(app, status);
    cli::add_check(app, status);
    cli::add_rest(app, status);
    cli::add_resume(app, status);
    cli::add_mesh(app, status);
    cli::add_thumbnail(app, status);
    cli::add_export(app, status);
    cli::add_reproduce(app, status);
    cli::add_analyze(app, status);
    cli::add_bench(app, status);
    try {
        if (argc == 1) {
            std::cout << app.help();
            return cli::wrong_input;
        }
        const int understood = parsed(app, argc, argv);
        return understood != cli::done ? understood : status;
    } catch (const IntersectionError& error) {
        tell(error);
        write_offending(error);
        return cli::wrong_input;
    } catch (const InputError& error) {
        tell(error);
        return cli::wrong_input;
    } catch (const WriteError& error) {
        std::cerr << "rubato: " << error.what() << '\n';
        return cli::could_not_go_on;
    } catch (const std::bad_alloc&) {
        std::cerr << "rubato: out of memory\n";
        return cli::could_not_go_on;
    } catch (const std::exception& error) {
        std::cerr << "rubato: internal error: " << error.what() << '\n';
        return cli::internal_error;
    }
}
