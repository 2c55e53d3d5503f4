#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/write_obj.hpp"
#include "geometry/files/write_vtu.hpp"
#include "geometry/files/writing.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace rubato::cli {

namespace {

struct RestArguments {
    SceneArguments scene;
    std::string out;
    int threads = 0;
    bool force = false;
};

struct RestState {
    SolveReport report;
    Vector x; ///< [m]
    EnergyParts energy; ///< [J]
};

std::string summary(const BuiltScene& built, const RestState& rest)
{
    nlohmann::ordered_json json;
    json["scene"] = built.name;
    json["program_version"] = program_version();
    json["balanced"] = rest.report.ok();
    json["stopped"] = std::string(text(rest.report.reason));
    json["newton_iterations"] = rest.report.iterations;
    json["last_step_m"] = rest.report.residual;
    json["energy_J"] = {{"elastic", rest.energy.elastic}, {"gravity", rest.energy.gravity},
        {"contact", rest.energy.contact}, {"other", rest.energy.other}, {"total", rest.energy.total()}};
    return json.dump(2) + "\n";
}

void write_rest(
    const std::filesystem::path& directory, const Scene& scene, const BuiltScene& built, const RestState& rest)
{
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) throw InputError(Mistake{.file = "--out", .value = directory.string(), .message = error.message()});
    write_atomically(directory / "scene.json", resolved_scene(scene, built).text());
    for (const SceneFile& file : built.files) {
        std::filesystem::create_directories((directory / file.copy).parent_path(), error);
        if (!error) {
            std::filesystem::copy_file(
                file.source, directory / file.copy, std::filesystem::copy_options::overwrite_existing, error);
        }
        if (error) throw WriteError((directory / file.copy).string(), error.message());
    }
    write_atomically(directory / "summary.json", summary(built, rest));
    if (!rest.x.allFinite()) return;
    const Vector x = rest.x.head(3 * Eigen::Index{built.body_nodes});
    Vector displacement = x;
    for (Index i = 0; i < built.body_nodes; ++i) {
        node(displacement, i) -= built.mesh.nodes[static_cast<std::size_t>(i)];
    }
    write_vtu(directory / "rest.vtu", x, built.mesh.tets, {vector_field("displacement", displacement)});
    std::vector<Vec3> shown;
    positions(built.skin.points, rest.x, shown);
    write_obj(directory / "rest.obj", built.skin.surface, coordinates(shown));
}

/// Whether this command wrote what is in a folder.
bool holds_rest(const std::filesystem::path& folder)
{
    std::error_code ignored;
    const std::filesystem::path file = folder / "summary.json";
    if (!std::filesystem::is_regular_file(file, ignored) || !std::filesystem::exists(folder / "scene.json", ignored))
        return false;
    const auto json = nlohmann::json::parse(file_bytes(file), nullptr, false);
    return json.is_object() && json.contains("balanced") && json.contains("last_step_m");
}

int rest(const RestArguments& arguments)
{
    set_thread_count(arguments.threads);
    const Scene scene = arguments.scene.read();
    const auto directory
        = run_directory(arguments.out, scene.name() + "-rest", arguments.force, {holds_rest, "state of rest"});
    BuiltScene built = rubato::built(scene, GroundSearch::never);

    RestState state;
    state.report = built.dynamics->rest(0, built.start.x, state.x);
    state.energy = built.dynamics->potential_energy(0, state.x);
    write_rest(directory, scene, built, state);

    std::cout << fmt::format("{}: {} after {}\n", built.name, text(state.report.reason),
        counted(state.report.iterations, "Newton iteration", "Newton iterations"));
    std::cout << fmt::format("  elastic {:.9g} J, gravity {:.9g} J, {}other {:.9g} J, total {:.9g} J\n",
        state.energy.elastic, state.energy.gravity,
        built.contact ? fmt::format("contact {:.9g} J, ", state.energy.contact) : "", state.energy.other,
        state.energy.total());
    std::cout << fmt::format(
        "wrote {}\n  rest.vtu, rest.obj   the shape; open rest.vtu in ParaView\n  summary.json         these numbers\n",
        printable(directory.string()));
    if (state.report.ok()) return done;
    std::cerr << "rubato: no state of rest was found: " << text(state.report.reason)
              << ". Does something hold every body? Try more solver.max_iterations, or another start.\n";
    return could_not_go_on;
}

} // namespace

void add_rest(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<RestArguments>();
    CLI::App* command = app.add_subcommand("rest", "Find the shape in which all forces balance");
    arguments->scene.declare(*command);
    command->add_option("--out", arguments->out, "Where to write it (default: runs/<scene>-rest)");
    declare_threads(*command, arguments->threads);
    command->add_flag("--force", arguments->force, "Replace the state of rest that is in --out already");
    command->callback([arguments, &status] { status = rest(*arguments); });
}

} // namespace rubato::cli
