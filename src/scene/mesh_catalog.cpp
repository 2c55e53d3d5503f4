#include "scene/mesh_catalog.hpp"

#include "base/errors.hpp"
#include "geometry/generators.hpp"
#include "geometry/files/read_msh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

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

TetMesh box(const Options& o, const std::filesystem::path&)
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
    return box_mesh(o.vec3("size"), cells, cell_split(o.text("split")));
}

/// A box whose cells are as close to cubes as whole numbers allow.
TetMesh bar(const Options& o, const std::filesystem::path&)
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
    return box_mesh(turned_size, turned_cells, cell_split(o.text("split")));
}

TetMesh from_file(const Options& o, const std::filesystem::path& folder)
{
    const std::filesystem::path file = folder / o.text("path");
    const auto wrong = [&](std::string why) {
        return InputError(Mistake{.key = "path", .value = '"' + o.text("path") + '"', .message = std::move(why)});
    };
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) throw wrong(fmt::format("there is no file {}", file.string()));
    if (file.extension() == ".obj") throw wrong("is a surface; a body needs tetrahedra, from a .msh file");
    if (file.extension() != ".msh") throw wrong("must be a .msh file");
    return read_msh(file);
}

} // namespace

const std::vector<MeshEntry>& mesh_catalog()
{
    static const std::vector<MeshEntry> catalog{
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
                {.name = "cells", .type = OptionType::integer, .summary = "number of cells along the axis", .least = 1},
                split_spec()},
            .make = bar,
        },
        {
            .name = "file",
            .summary = "Tetrahedra and named node groups from a .msh file (Gmsh 2.2 or 4.1, text or binary).",
            .options
            = {{.name = "path", .type = OptionType::text, .summary = "file name, relative to the scene's folder"}},
            .make = from_file,
            .reads_file = true,
        },
    };
    return catalog;
}

} // namespace rubato
