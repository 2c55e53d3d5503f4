#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"
#include "geometry/files/formats.hpp"
#include "picture/render.hpp"
#include "record/run_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <variant>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

struct ThumbnailArguments {
    std::string what, out, view = "three-quarter";
    std::optional<int> width, height;
    int moments = 4, threads = 0;
    bool edges = false, cut = false, force = false;

    PictureOptions picture(int usual_width, int usual_height) const
    {
        PictureOptions options{.width = width.value_or(usual_width), .height = height.value_or(usual_height)};
        options.camera.view = view_named(view);
        options.edges = edges;
        options.cut_open = cut;
        return options;
    }
};

Image picture_of_run(const fs::path& directory, const ThumbnailArguments& arguments)
{
    RunPictureOptions options{.moments = arguments.moments};
    std::optional<double> ground;
    std::error_code ignored;
    if (fs::exists(directory / "scene.json", ignored)) {
        const Scene scene = scene_from_file(directory / "scene.json");
        options.up = scene.up();
        options.title = scene.name();
        ground = ground_height(scene);
    }
    options.picture = arguments.picture(480, 400);
    options.picture.ground_height = ground;
    return run_picture(directory, options);
}

Image picture_of_scene(const std::string& name, const ThumbnailArguments& arguments)
{
    const Scene scene = scene_named(name);
    const BuiltScene built = rubato::built(scene);
    std::vector<Vec3> shown;
    positions(built.skin.points, built.start.x, shown);
    TriangleMesh surface = triangulated(built.skin.surface);
    surface.nodes = std::move(shown);
    std::vector<PictureBody> bodies = picture_parts(surface).bodies;
    for (PictureBody& body : bodies) body.edges = arguments.edges;
    PictureOptions options = arguments.picture(1280, 960);
    options.camera.up = scene.up();
    options.caption = scene.name();
    options.ground_height = ground_height(scene);
    return picture_of(bodies, options);
}

Image picture_of_file(const fs::path& file, const ThumbnailArguments& arguments)
{
    const std::variant<TetMesh, Surface> mesh = read_any(file);
    PictureOptions options = arguments.picture(1280, 960);
    options.caption = file.filename().string();
    if (const Surface* surface = std::get_if<Surface>(&mesh)) return picture_of(triangulated(*surface), options);
    return picture_of(std::get<TetMesh>(mesh), options);
}

/// Whether a file, as far as its name tells, holds tetrahedra.
bool tetrahedra_in(const fs::path& what)
{
    std::error_code ignored;
    return fs::is_regular_file(what, ignored) && what.extension() != ".json" && mesh_format(what).holds_tets();
}

int thumbnail(const ThumbnailArguments& arguments)
{
    set_thread_count(arguments.threads);
    const fs::path what = arguments.what;
    std::error_code ignored;
    const bool directory = fs::is_directory(what, ignored);
    const bool file = !directory && fs::is_regular_file(what, ignored) && what.extension() != ".json";
    fs::path out = arguments.out;
    if (out.empty()) {
        out = directory ? what / "picture.png"
            : file      ? fs::path(what.string() + ".png")
                        : fs::path(what.filename().replace_extension(".png"));
    }
    const bool own = directory && arguments.out.empty(); // the picture that the run itself drew
    require_output("-o", out, ".png", arguments.force || own);
    if (arguments.cut && !tetrahedra_in(what)) {
        throw InputError(
            Mistake{.file = "--cut", .message = "needs a mesh of tetrahedra; " + arguments.what + " is none"});
    }
    const Image image = directory ? picture_of_run(what, arguments)
        : file                    ? picture_of_file(what, arguments)
                                  : picture_of_scene(arguments.what, arguments);
    write_png(out, image);
    std::cout << fmt::format("wrote {}\n", printable(out.string()));
    return done;
}

} // namespace

void add_thumbnail(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<ThumbnailArguments>();
    CLI::App* command = app.add_subcommand("thumbnail", "Draw a run, a scene or a mesh as a picture");
    command->add_option("what", arguments->what, "A run directory, a scene, or a mesh file")->required();
    command->add_option("-o,--out", arguments->out,
        "PNG file (default: picture.png in a run directory, MESH.png beside a mesh, SCENE.png here)");
    command->add_option("--view", arguments->view, "Where one looks from: three-quarter, front, side or top")
        ->capture_default_str();
    command
        ->add_option("--width", arguments->width, "Width [px], of each moment of a run (default: 1280; 480 of a run)")
        ->check(CLI::Range(64, 8192));
    command->add_option("--height", arguments->height, "Height [px], likewise (default: 960; 400 of a run)")
        ->check(CLI::Range(64, 8192));
    command->add_option("--moments", arguments->moments, "How many moments of a run, at most")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command->add_flag("--edges", arguments->edges, "Draw the edges of the elements");
    command->add_flag("--cut", arguments->cut, "Cut a tetrahedral mesh open");
    command->add_flag("--force", arguments->force, "Replace the file if it exists");
    declare_threads(*command, arguments->threads);
    command->callback([arguments, &status] { status = thumbnail(*arguments); });
}

} // namespace rubato::cli
