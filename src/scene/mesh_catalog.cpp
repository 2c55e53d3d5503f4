#include "scene/mesh_catalog.hpp"

#include "base/errors.hpp"
#include "geometry/fields/blobs.hpp"
#include "geometry/fields/solid_catalog.hpp"
#include "geometry/files/formats.hpp"
#include "geometry/generators.hpp"
#include "geometry/mesher/meshed_body.hpp"
#include "scene/scene_memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr int usual_nodes = 2000; ///< enough to look like something, few enough to be simulated at once

OptionSpec length_spec(std::string name, std::string summary)
{
    return {.name = std::move(name), .unit = "m", .summary = std::move(summary), .least = 0, .least_open = true};
}

OptionSpec split_spec()
{
    return {.name = "split",
        .type = OptionType::choice,
        .fallback = "five",
        .summary = "how a cell is cut into tetrahedra: five (mirrored, no preferred direction) or six (kuhn)",
        .choices = cell_split_names()};
}

/// Refuses more cells than there is room for, before they are made.
void require_room(const std::string& value, const std::array<int, 3>& cells, CellSplit split)
{
    double tets = split == CellSplit::kuhn ? 6 : 5;
    for (const int count : cells) tets *= count;
    if (tets > most_generated_tets) return; // another mistake, which box_mesh tells
    if (const std::string why = why_no_room(scene_bytes(tets, 1)); !why.empty()) {
        throw InputError(Mistake{.key = "cells",
            .value = value,
            .message = fmt::format("gives {:.0f} tetrahedra: a run of them {}; choose fewer cells", tets, why)});
    }
}

SceneMesh box(const Options& o, const std::filesystem::path&)
{
    const Vec3& wanted = o.vec3("cells");
    std::array<int, 3> cells;
    for (int a = 0; a < 3; ++a) {
        if (wanted[a] != std::floor(wanted[a])) {
            throw InputError(Mistake{.key = "cells",
                .value = fmt::format("[{}, {}, {}]", wanted.x(), wanted.y(), wanted.z()),
                .message = "must be three whole numbers >= 1"});
        }
        cells[static_cast<std::size_t>(a)] = static_cast<int>(std::min(wanted[a], 1e9));
    }
    require_room(fmt::format("[{}, {}, {}]", cells[0], cells[1], cells[2]), cells, cell_split(o.text("split")));
    return {box_mesh(o.vec3("size"), cells, cell_split(o.text("split")))};
}

/// A box whose cells are as close to cubes as whole numbers allow.
SceneMesh bar(const Options& o, const std::filesystem::path&)
{
    const double edge = o.real("length") / o.integer("cells");
    const auto across = [&](double d) { return static_cast<int>(std::clamp(std::round(d / edge), 1.0, 1e9)); };
    Vec3 size(o.real("length"), o.real("width"), o.real("depth"));
    std::array<int, 3> cells{o.integer("cells"), across(size[1]), across(size[2])};
    // x, y, z take the roles length, width, depth in cyclic order, beginning at the chosen axis.
    const int turn = o.text("axis") == "x" ? 0 : o.text("axis") == "y" ? 1 : 2;
    Vec3 turned_size;
    std::array<int, 3> turned_cells;
    for (int a = 0; a < 3; ++a) {
        const int to = (a + turn) % 3;
        turned_size[to] = size[a];
        turned_cells[static_cast<std::size_t>(to)] = cells[static_cast<std::size_t>(a)];
    }
    require_room(std::to_string(o.integer("cells")), turned_cells, cell_split(o.text("split")));
    return {box_mesh(turned_size, turned_cells, cell_split(o.text("split")))};
}

SceneMesh from_file(const Options& o, const std::filesystem::path& folder)
{
    AnyMesh mesh = read_any(existing_file(o, folder));
    if (TetMesh* tets = std::get_if<TetMesh>(&mesh)) return {std::move(*tets)};
    throw InputError(Mistake{.key = "path",
        .value = '"' + o.text("path") + '"',
        .message = "holds a surface; a mesh of \"type\": \"surface\" fills it with tetrahedra"});
}

SceneMesh body_of(MeshedBody body) { return {std::move(body.tets), std::nullopt, std::move(body.notes)}; }

/// Of a body that is meant to be run: refuses more nodes than a run has room for, before meshing, which takes less.
MesherOptions fineness_of_run(const Options& options)
{
    if (options.has("nodes")) {
        const double tets = 5.0 * options.integer("nodes"); // about so many
        if (const std::string why = why_no_room(scene_bytes(tets, 1)); !why.empty()) {
            throw InputError(Mistake{.key = "nodes",
                .value = std::to_string(options.integer("nodes")),
                .message = fmt::format("makes about {:.3g} tetrahedra: a run of them {}", tets, why)});
        }
    }
    return fineness(options);
}

SceneMesh from_surface(const Options& o, const std::filesystem::path& folder)
{
    const std::filesystem::path file = existing_file(o, folder);
    Surface surface = read_surface(file);
    SceneMesh mesh = body_of(meshed(solid_within(triangulated(surface), file.string()), fineness_of_run(o)));
    if (o.text("show") == "surface") mesh.surface = std::move(surface);
    return mesh;
}

SceneMesh from_blobs(const Options& o, const std::filesystem::path& folder)
{
    if (o.has("name") == o.has("path")) {
        throw InputError(Mistake{.key = o.has("name") ? "path" : "name",
            .message = "give either the name of a built-in body or the path of a .blobs file"});
    }
    if (o.has("path")) return body_of(meshed(read_blobs(existing_file(o, folder)), fineness_of_run(o)));
    return body_of(meshed(*builtin_field(o.text("name")), fineness_of_run(o)));
}

OptionSpec path_spec(std::string summary)
{
    return {
        .name = "path", .type = OptionType::text, .summary = std::move(summary) + ", relative to the scene's folder"};
}

OptionSpec optional(OptionSpec spec)
{
    spec.optional = true;
    return spec;
}

std::vector<OptionSpec> with_fineness(std::vector<OptionSpec> options)
{
    for (OptionSpec& spec : fineness_specs()) options.push_back(std::move(spec));
    return options;
}

/// A solid with a closed formula, filled by the mesher.
MeshEntry entry_of_solid(const SolidEntry& solid)
{
    return {
        .name = solid.name,
        .summary = solid.summary + (solid.summary.ends_with('.') ? "" : ".") + " Node group surface.",
        .options = with_fineness(solid.options),
        .make = [make = solid.make](const Options& o, const std::filesystem::path&) -> SceneMesh {
            return body_of(meshed(*make(o), fineness_of_run(o)));
        },
    };
}

} // namespace

std::filesystem::path existing_file(const Options& options, const std::filesystem::path& folder)
{
    const std::filesystem::path file = folder / options.text("path");
    std::error_code ignored;
    // What is there but cannot be read is told by whoever reads it.
    if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return file;
    throw InputError(Mistake{.key = "path",
        .value = '"' + options.text("path") + '"',
        .message = fmt::format("there is no file {}", file.string())});
}

std::vector<OptionSpec> fineness_specs()
{
    return {
        {.name = "edge",
            .unit = "m",
            .summary = "length of the edges at the surface, before the body is scaled",
            .least = 0,
            .least_open = true,
            .optional = true},
        {.name = "nodes",
            .type = OptionType::integer,
            .summary = fmt::format("about how many nodes; absent, and no edge either: {}", usual_nodes),
            .least = 4,
            .most = most_generated_tets / 5.0,
            .optional = true},
        {.name = "grading",
            .fallback = MesherOptions{}.grading,
            .summary = "how much longer edges may be deep inside than at the surface",
            .least = 1,
            .most = 64},
    };
}

MesherOptions fineness(const Options& options)
{
    if (options.has("edge") && options.has("nodes")) {
        throw InputError(Mistake{.key = "nodes", .message = "give either edge or nodes, not both"});
    }
    MesherOptions mesher;
    mesher.grading = options.real("grading");
    if (options.has("edge")) {
        mesher.edge = options.real("edge");
    } else {
        mesher.nodes = options.has("nodes") ? options.integer("nodes") : usual_nodes;
    }
    return mesher;
}

void write_fineness(Block& mesh)
{
    const std::vector<OptionSpec>& specs = entry_of(mesh_catalog(), mesh).options;
    const bool filled = std::any_of(specs.begin(), specs.end(), [](const OptionSpec& s) { return s.name == "nodes"; });
    if (filled && !mesh.options.has("edge") && !mesh.options.has("nodes")) mesh.options.set("nodes", usual_nodes);
}

std::unique_ptr<SignedField> builtin_field(const std::string& name)
{
    std::vector<std::string> names;
    for (const BuiltinBody& body : builtin_bodies()) {
        if (body.name == name) {
            return std::make_unique<BlobField>(blobs_from_bytes(body.text, std::string(body.file)));
        }
        names.emplace_back(body.name);
    }
    const std::string best = closest(name, names);
    throw InputError(Mistake{.key = "name",
        .value = '"' + name + '"',
        .message = fmt::format("there is no such body; there are {}{}", fmt::join(names, ", "),
            best.empty() ? "" : fmt::format("; did you mean '{}'?", best))});
}

const std::vector<MeshEntry>& mesh_catalog()
{
    static const std::vector<MeshEntry> catalog = [] {
        std::vector<MeshEntry> entries{
            {
                .name = "box",
                .summary
                = "A box centred at the origin, with node groups x_min, x_max, y_min, y_max, z_min, z_max, surface.",
                .options = {{.name = "size",
                                .type = OptionType::vec3,
                                .unit = "m",
                                .summary = "edge lengths",
                                .least = 0,
                                .least_open = true},
                    {.name = "cells",
                        .type = OptionType::vec3,
                        .summary = "whole numbers of cells along x, y, z",
                        .least = 1},
                    split_spec()},
                .make = box,
            },
            {
                .name = "bar",
                .summary = "A box along one axis, of nearly cubic cells, centred at the origin; groups as for box.",
                .options = {length_spec("length", "along the axis"),
                    length_spec("width", "along the next axis (y after x, z after y, x after z)"),
                    length_spec("depth", "along the third axis"),
                    {.name = "axis",
                        .type = OptionType::choice,
                        .fallback = "x",
                        .summary = "the axis along which it lies",
                        .choices = {"x", "y", "z"}},
                    {.name = "cells",
                        .type = OptionType::integer,
                        .summary = "number of cells along the axis",
                        .least = 1},
                    split_spec()},
                .make = bar,
            },
            {
                .name = "file",
                .summary
                = "Tetrahedra and named node groups from a .msh (Gmsh 2.2 or 4.1, text or binary) or .vtu file.",
                .options = {path_spec("file name")},
                .make = from_file,
            },
            {
                .name = "surface",
                .summary
                = "A closed surface (.obj, .ply, .stl, .off, .vtu, .msh), filled with tetrahedra. Small holes are "
                  "closed. Node group surface.",
                .options = with_fineness({path_spec("file name"),
                    {.name = "show",
                        .type = OptionType::choice,
                        .fallback = "surface",
                        .summary
                        = "what frames show: the surface of the file, riding on the tetrahedra, or their boundary",
                        .choices = {"surface", "tetrahedra"}}}),
                .make = from_surface,
            },
            {
                .name = "blobs",
                .summary = "Blended ellipsoids and capsules: a built-in body or a .blobs file. Node group surface.",
                .options = with_fineness(
                    {{.name = "name", .type = OptionType::text, .summary = "of a built-in body", .optional = true},
                        optional(path_spec("file name"))}),
                .make = from_blobs,
            },
        };
        for (const SolidEntry& solid : solid_catalog()) entries.push_back(entry_of_solid(solid));
        return entries;
    }();
    return catalog;
}

} // namespace rubato
