#include "base/errors.hpp"
#include "base/options.hpp"
#include "commands.hpp"
#include "geometry/files/formats.hpp"
#include "scene/contact.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <iostream>

namespace {

using namespace rubato;

/// Whatever the program complains of passes through here: what a file or an argument holds must not reach the terminal
/// as it is.
void complain(const std::string& what) { std::cerr << "rubato: " << printable(what) << '\n'; }

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
            complain("unknown command '" + std::string(argv[1]) + "'"
                + (best.empty() ? "; '" + cli::called_as() + " --help' lists them" : "; did you mean '" + best + "'?"));
            return cli::wrong_input;
        }
    }
    for (int i = 1; i < argc; ++i) {
        // The library would take the next word for the value.
        const std::string_view word = argv[i];
        if (word.starts_with("--") && word.size() > 2 && word.find('=') == word.size() - 1) {
            complain(fmt::format("{}: must not be empty", word.substr(0, word.size() - 1)));
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
        complain(fmt::format("unknown argument{} {}; '{} --help' says more", unknown.size() == 1 ? "" : "s",
            fmt::join(unknown, " "), cli::called_as()));
        return cli::wrong_input;
    } catch (const CLI::ParseError& e) {
        complain(std::string(e.what()) + "; '" + cli::called_as() + " --help' says more");
        return cli::wrong_input;
    }
    return cli::done;
}

void tell(const InputError& error)
{
    const std::vector<Mistake>& all = error.mistakes();
    const std::size_t most = most_mistakes_told + 1; // the last may tell how many more there are
    for (std::size_t i = 0; i < std::min(all.size(), most); ++i) complain(all[i].text());
    if (all.size() > most) {
        complain(fmt::format("and {} more mistakes", all.size() - most));
    } else if (all.size() > 1 && all.size() < most) {
        complain(fmt::format("{} mistakes", all.size()));
    }
}

/// The value of an option of the command that was given; empty where there is none.
std::string given(const CLI::App& app, const char* option)
{
    for (const CLI::App* command : app.get_subcommands()) {
        const CLI::Option* found = command->get_option_no_throw(option);
        if (found != nullptr && found->count() > 0) return found->as<std::string>();
        const std::string below = given(*command, option);
        if (!below.empty()) return below;
    }
    return "";
}

/// Writes the triangles that start in each other, to be looked at, where that was asked for.
void write_offending(const IntersectionError& error, const std::string& file)
{
    if (error.where.triangles.empty()) return;
    if (file.empty()) {
        complain("--intersections FILE.ply writes the triangles concerned");
        return;
    }
    try {
        write_surface(file, surface_of(error.where));
        complain("the triangles concerned are in " + file);
    } catch (const WriteError& unwritten) {
        complain(unwritten.what());
    }
}

/// What holds for all options. An empty value, of a variable that was not set perhaps, would pass for the default, and
/// one that is no number for one within every range.
void refuse_wrong_values(CLI::App& app)
{
    const CLI::Validator filled(
        [](const std::string& value) { return value.empty() ? std::string("must not be empty") : std::string(); }, "");
    const CLI::Validator finite(
        [](const std::string& value) {
            double number = 0;
            const bool wrong = CLI::detail::lexical_cast(value, number) && !std::isfinite(number);
            return wrong ? std::string("must be a finite number") : std::string();
        },
        "");
    for (CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() == 0) continue; // a flag
        option->check(filled);
        if (option->get_type_name().starts_with("FLOAT")) option->check(finite);
    }
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) refuse_wrong_values(*command);
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
    refuse_wrong_values(app);
    try {
        if (argc == 1) {
            std::cout << app.help();
            return cli::wrong_input;
        }
        const int understood = parsed(app, argc, argv);
        return understood != cli::done ? understood : status;
    } catch (const IntersectionError& error) {
        tell(error);
        write_offending(error, given(app, cli::intersections_option));
        return cli::wrong_input;
    } catch (const InputError& error) {
        tell(error);
        return cli::wrong_input;
    } catch (const WriteError& error) {
        complain(error.what());
        return cli::could_not_go_on;
    } catch (const std::bad_alloc&) {
        complain("out of memory");
        return cli::could_not_go_on;
    } catch (const std::exception& error) {
        complain(std::string("internal error: ") + error.what());
        return cli::internal_error;
    }
}
