#include "geometry/files/formats.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/off.hpp"
#include "geometry/files/ply.hpp"
#include "geometry/files/read_msh.hpp"
#include "geometry/files/read_obj.hpp"
#include "geometry/files/read_vtu.hpp"
#include "geometry/files/stl.hpp"
#include "geometry/files/write_msh.hpp"
#include "geometry/files/write_obj.hpp"
#include "geometry/files/write_vtu.hpp"
#include "geometry/files/writing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

namespace {

using std::filesystem::path;

std::string lower_extension(const path& file)
{
    std::string extension = file.extension().string();
    for (char& c : extension) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return extension;
}

/// ".msh, .vtu": of all formats, or of those that fulfil a condition.
std::string extensions(bool (MeshFormat::*condition)() const = nullptr)
{
    std::vector<std::string> names;
    for (const MeshFormat& f : mesh_formats()) {
        if (condition == nullptr || (f.*condition)()) names.push_back(f.extension);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

const std::vector<MeshFormat>& mesh_formats()
{
    static const std::vector<MeshFormat> formats = {
        {".msh", "Gmsh", "tetrahedra with groups of nodes; triangles and quadrangles with one name each",
            msh_any_from_bytes,
            [](const path& p, const Surface& s) { return msh_bytes(p, s, MshVersion::v4_1, MshEncoding::binary); },
            [](const path& p, const TetMesh& m) { return msh_bytes(p, m, MshVersion::v4_1, MshEncoding::binary); }},
        {".vtu", "VTK unstructured grid", "tetrahedra with groups of nodes; surfaces with everything", vtu_from_bytes,
            [](const path& p, const Surface& s) { return vtu_bytes(p, s); },
            [](const path& p, const TetMesh& m) { return vtu_bytes(p, m); }},
        {".obj", "Wavefront OBJ", "surfaces with everything", surface_from_obj,
            [](const path& p, const Surface& s) { return obj_bytes(p, s, coordinates(s.vertices)); }, {}},
        {".ply", "PLY", "surfaces; texture coordinates by value, for polygons that have them at all corners",
            ply_from_bytes, [](const path& p, const Surface& s) { return ply_bytes(p, s, PlyEncoding::binary); }, {}},
        {".stl", "STL", "triangles with one name each, no texture coordinates, no unused vertices", stl_from_bytes,
            [](const path& p, const Surface& s) { return stl_bytes(p, s, StlEncoding::text); }, {}},
        {".off", "OFF", "surfaces; texture coordinates where each vertex has its own", off_from_bytes,
            [](const path& p, const Surface& s) { return off_bytes(p, s); }, {}},
    };
    return formats;
}

const MeshFormat& mesh_format(const path& file)
{
    const std::string extension = lower_extension(file);
    for (const MeshFormat& f : mesh_formats()) {
        if (f.extension == extension) return f;
    }
    throw InputError({file.string(), 0, "extension", extension.empty() ? "none" : extension,
        "unknown format of a mesh; known are " + extensions()});
}

AnyMesh read_any(const path& file)
{
    const MeshFormat& format = mesh_format(file);
    return format.read(file_bytes(file), file.string());
}

Surface read_surface(const path& file)
{
    AnyMesh mesh = read_any(file);
    if (Surface* surface = std::get_if<Surface>(&mesh)) return std::move(*surface);
    throw InputError({file.string(), 0, "mesh", fmt::format("{} tetrahedra", std::get<TetMesh>(mesh).tets.size()),
        "a surface is needed here, not a volume"});
}

TetMesh read_tets(const path& file)
{
    const MeshFormat& format = mesh_format(file);
    if (!format.holds_tets()) {
        throw InputError({file.string(), 0, "extension", format.extension,
            "this format holds surfaces only; tetrahedra are read from " + extensions(&MeshFormat::holds_tets)});
    }
    AnyMesh mesh = read_any(file);
    if (TetMesh* tets = std::get_if<TetMesh>(&mesh)) return std::move(*tets);
    throw InputError({file.string(), 0, "mesh", fmt::format("{} polygons", std::get<Surface>(mesh).polygon_count()),
        "tetrahedra are needed here, and the file holds only a surface; mesh its volume first"});
}

void write_surface(const path& file, const Surface& surface)
{
    write_atomically(file, mesh_format(file).surface_bytes(file, surface)); // every format holds surfaces
}

void write_tets(const path& file, const TetMesh& mesh)
{
    const MeshFormat& format = mesh_format(file);
    if (!format.holds_tets()) {
        throw InputError({file.string(), 0, "extension", format.extension,
            "this format holds surfaces only; tetrahedra are written to " + extensions(&MeshFormat::holds_tets)});
    }
    write_atomically(file, format.tet_bytes(file, mesh));
}

} // namespace rubato
