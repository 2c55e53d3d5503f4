#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"
#include "geometry/check.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/formats.hpp"
#include "geometry/generators.hpp"
#include "geometry/mesher/gmsh.hpp"
#include "geometry/mesher/meshed_body.hpp"
#include "geometry/repair.hpp"
#include "geometry/skin.hpp"
#include "mesh_input.hpp"
#include "mesh_report.hpp"
#include "picture/strip.hpp"
#include "scene/mesh_catalog.hpp"
#include "starter_scene.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <variant>
#include <vector>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

struct MeshArguments {
    std::string input, out, picture, scene, starter = starter_kinds().front();
    std::vector<std::string> settings;
    std::optional<double> edge;
    std::optional<int> nodes;
    double grading = MesherOptions{}.grading;
    bool repair = false, keep_surface = false, surface_only = false, no_picture = false, force = false;
    int threads = 0;

    MesherOptions fineness() const
    {
        Options options;
        if (edge) options.set("edge", *edge);
        if (nodes) options.set("nodes", *nodes);
        options.set("grading", grading);
        MesherOptions mesher = rubato::fineness(options);
        if (isatty(STDERR_FILENO) == 1) {
            mesher.progress = [](const char* phase, double fraction) {
                std::cerr << fmt::format("\r\033[K{} {:.0f}%", phase, 100 * fraction) << std::flush;
                if (fraction >= 1) std::cerr << "\r\033[K" << std::flush;
            };
        }
        return mesher;
    }
};

/// What the command made, for all that is written at the end.
struct Result {
    std::optional<TetMesh> tets;
    std::optional<Surface> surface; ///< what is written where OUT is a surface
};

void tell(const std::vector<std::string>& notes)
{
    for (const std::string& note : notes) std::cout << "note: " << printable(note) << '\n';
}

/// Distances count in the edge length that was aimed at.
void tell_distance(const TetMesh& tets, const SignedField& field, double edge)
{
    std::cout << text(surface_distance(tets, field, surface_points(field, edge / 3), edge / 2), edge);
}

Result from_tets(TetMesh mesh, const MeshArguments& arguments, const std::string& file)
{
    if (arguments.repair) {
        std::vector<std::string> changes;
        mesh = repaired(std::move(mesh), changes);
        if (changes.empty()) changes.push_back("nothing had to be repaired, or nothing could be repaired safely");
        tell(changes);
    }
    for (const MeshFinding& finding : mesh_report(mesh).findings) {
        if (finding.severity != Severity::error) std::cout << finding.text() << '\n';
    }
    std::vector<Mistake> mistakes = mesh_mistakes(mesh, file);
    if (!mistakes.empty()) {
        if (!arguments.repair)
            mistakes.push_back({.file = file, .message = "--repair mends what can be mended safely"});
        throw InputError(std::move(mistakes));
    }
    std::cout << text(mesh_quality(mesh));
    Surface boundary = boundary_skin(mesh).surface;
    return {std::move(mesh), std::move(boundary)};
}

Result from_field(const SignedField& field, const MeshArguments& arguments)
{
    MeshedBody body = meshed(field, arguments.fineness());
    tell(body.notes);
    std::cout << text(body.quality);
    tell_distance(body.tets, field, body.mesher.edge);
    Surface boundary = boundary_skin(body.tets).surface;
    return {std::move(body.tets), std::move(boundary)};
}

Result from_surface(const Surface& surface, const MeshArguments& arguments, const std::string& file)
{
    const TriangleMesh triangles = triangulated(surface);
    std::cout << "surface\n";
    const SurfaceReport found = surface_report(triangles);
    for (const std::string& line : lines(found)) std::cout << "  " << line << '\n';
    if (arguments.surface_only) {
        if (!arguments.repair) return {std::nullopt, surface};
        std::vector<std::string> changes;
        Surface clean = surface_of(mended(triangles, changes));
        tell(changes);
        return {std::nullopt, std::move(clean)};
    }
    const Solid solid = solid_within(triangles, file);
    if (arguments.keep_surface) {
        tell(solid.changes);
        TetMesh tets = filled_by_gmsh(solid.field.mesh(), file, arguments.edge.value_or(0));
        std::cout << "tetrahedra\n" << text(mesh_quality(tets));
        return {std::move(tets), std::nullopt};
    }
    MeshedBody body = meshed(solid, arguments.fineness());
    tell(body.notes);
    std::cout << "tetrahedra\n" << text(body.quality);
    tell_distance(body.tets, solid.field, body.mesher.edge);
    return {std::move(body.tets), std::nullopt};
}

void write_mesh(const Result& result, const MeshArguments& arguments)
{
    if (arguments.surface_only) {
        write_surface(arguments.out, *result.surface);
    } else {
        write_tets(arguments.out, *result.tets);
    }
    std::cout << "wrote " << printable(arguments.out) << '\n';
}

/// The whole and the inside, side by side; of a surface only the whole.
void write_picture(const Result& result, const std::string& name, const std::string& file)
{
    PictureOptions options{.width = 720, .height = 640};
    if (result.tets) {
        const MeshQuality quality = mesh_quality(*result.tets);
        const Image whole = picture_of(*result.tets, options);
        options.cut_open = true;
        const Image inside = picture_of(*result.tets, options);
        write_png(file,
            strip_of({whole, inside},
                {fmt::format("{}: {}", name, counted(quality.nodes, "node", "nodes")),
                    fmt::format("{}, angles {:.0f} to {:.0f} degrees",
                        counted(quality.tets, "tetrahedron", "tetrahedra"), quality.smallest_dihedral,
                        quality.largest_dihedral)}));
    } else {
        options.caption = name;
        write_png(file, picture_of(triangulated(*result.surface), options));
    }
    std::cout << "wrote " << printable(file) << '\n';
}

int mesh(MeshArguments arguments)
{
    set_thread_count(arguments.threads);
    require_output("-o", arguments.out, "", arguments.force);
    require_output("--scene", arguments.scene, ".json", arguments.force);
    std::error_code ignored;
    if (!arguments.out.empty() && fs::equivalent(arguments.input, arguments.out, ignored)) {
        throw InputError(Mistake{.file = "-o", .value = arguments.out, .message = "is the input itself"});
    }
    if (!arguments.out.empty()) {
        const MeshFormat& format = mesh_format(arguments.out);
        if (!format.holds_tets()) arguments.surface_only = true;
    }
    MeshInput input = mesh_input(arguments.input, arguments.settings);
    if (arguments.keep_surface && !std::holds_alternative<Surface>(input.shape)) {
        throw InputError(
            Mistake{.file = "--keep-surface", .message = "needs a surface to keep; " + arguments.input + " is none"});
    }
    const bool filled = !std::holds_alternative<TetMesh>(input.shape) && !arguments.keep_surface
        && !(std::holds_alternative<Surface>(input.shape) && arguments.surface_only);
    if (!filled && (arguments.nodes || (arguments.edge && !arguments.keep_surface))) {
        throw InputError(Mistake{.file = arguments.nodes ? "--nodes" : "--edge",
            .message = "has no meaning here: nothing is filled with new tetrahedra"});
    }
    // Converting draws nothing unasked. Not bunny.png, which may be the texture of bunny.obj.
    const bool made = filled || arguments.keep_surface;
    if (made && !arguments.out.empty() && !arguments.no_picture && arguments.picture.empty()) {
        arguments.picture = arguments.out + ".png";
    }
    require_output("--picture", arguments.picture, ".png", arguments.force);
    const std::string tets_file = !arguments.out.empty() && !arguments.surface_only ? arguments.out
        : std::holds_alternative<TetMesh>(input.shape)                              ? input.file
                                                                                    : std::string();
    if (!arguments.scene.empty() && tets_file.empty()) {
        throw InputError(Mistake{.file = "--scene",
            .value = arguments.scene,
            .message = "needs tetrahedra on disk: give -o FILE.msh or FILE.vtu too"});
    }
    std::cout << input.name << '\n';
    Result result;
    if (auto* tets = std::get_if<TetMesh>(&input.shape)) {
        result = from_tets(std::move(*tets), arguments, input.file);
    } else if (const auto* surface = std::get_if<Surface>(&input.shape)) {
        result = from_surface(*surface, arguments, input.file);
    } else {
        result = from_field(*std::get<std::unique_ptr<SignedField>>(input.shape), arguments);
    }
    if (!arguments.out.empty()) write_mesh(result, arguments);
    if (!arguments.picture.empty()) write_picture(result, input.name, arguments.picture);
    if (!arguments.scene.empty()) {
        const bool shown = std::holds_alternative<Surface>(input.shape);
        write_atomically(arguments.scene,
            text({input.name, tets_file, shown ? input.file : std::string(), arguments.starter,
                     result.tets && looks_away(result.tets->nodes)},
                arguments.scene));
        std::cout << fmt::format("wrote {0}; try it: {1} run {0}\n", printable(arguments.scene), called_as());
    }
    if (arguments.out.empty() && made) std::cout << "the mesh was not kept; -o FILE writes it\n";
    return done;
}

} // namespace

void add_mesh(CLI::App& app, int& status)
{
    const std::vector<OptionSpec> specs = fineness_specs();
    const auto spec = std::find_if(specs.begin(), specs.end(), [](const OptionSpec& s) { return s.name == "edge"; });
    const auto as_in_scenes = [edge = *spec](const std::string& text) {
        double value = 0;
        const bool number = CLI::detail::lexical_cast(text, value);
        return number && number_range(edge).hold(value) ? std::string() : "must be " + allowed(edge);
    };
    auto arguments = std::make_shared<MeshArguments>();
    CLI::App* command = app.add_subcommand("mesh", "Fill a surface or a body with tetrahedra; report, repair, convert");
    command
        ->add_option("input", arguments->input,
            fmt::format("A surface or tetrahedra (.obj .ply .stl .off .vtu .msh), a .blobs file, or a body: {}",
                fmt::join(body_names(), ", ")))
        ->required();
    command->add_option("-o,--out", arguments->out,
        "Where it goes: .msh or .vtu for tetrahedra; .obj, .ply, .stl, .off for the surface");
    CLI::Option* edge
        = command->add_option("--edge", arguments->edge, "Length of edges at the surface [m]")->check(as_in_scenes);
    command->add_option("--nodes", arguments->nodes, "About how many nodes (default: 2000)")
        ->check(CLI::Range(4, most_generated_tets / 5))
        ->excludes(edge);
    command->add_option("--grading", arguments->grading, "How much longer edges may be inside: 1, 2, 4 ...")
        ->check(CLI::Range(1.0, 64.0))
        ->capture_default_str();
    command->add_option("--set", arguments->settings, "Option of a solid, e.g. radius=0.2; may be given many times")
        ->type_name("OPTION=VALUE")
        ->allow_extra_args(false);
    command->add_flag("--surface", arguments->surface_only, "Write the surface, also where OUT could hold tetrahedra");
    command->add_flag("--keep-surface", arguments->keep_surface,
        "Keep the triangles of the surface as they are (needs the external program gmsh)");
    command->add_flag("--repair", arguments->repair, "Mend what can be mended safely, and say what was done");
    CLI::Option* picture
        = command->add_option("--picture", arguments->picture, "Where the picture goes (default: OUT.png)");
    command->add_flag("--no-picture", arguments->no_picture, "Draw no picture")->excludes(picture);
    command->add_option("--scene", arguments->scene, "Write a scene to begin with: the body falls and bounces");
    command->add_option("--starter", arguments->starter, "Of that scene: fall (default) or hang, from its top")
        ->check(CLI::IsMember(starter_kinds()));
    command->add_flag("--force", arguments->force, "Replace files that exist");
    declare_threads(*command, arguments->threads);
    command->callback([arguments, &status] { status = mesh(*arguments); });
}

} // namespace rubato::cli
