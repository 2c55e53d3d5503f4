#include "geometry/files/atomic_file.hpp"
#include "geometry/files/part_names.hpp"
#include "geometry/files/texture_numbers.hpp"
#include "geometry/files/vtu_names.hpp"
#include "geometry/files/vtu_text.hpp"
#include "geometry/files/write_vtu.hpp"
#include "geometry/files/writing.hpp"

#include <algorithm>
#include <map>

namespace rubato {

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Names of one kind: which of them (from 1; 0: none) each polygon has, and the names.
void add_names(VtuText& out, const Surface& surface, const PartKind& kind)
{
    std::map<std::string, std::int32_t> numbers;
    std::vector<std::string> names;
    for (const SurfacePart& part : surface.parts) {
        const std::string& name = part.*kind.member;
        if (name.empty() || numbers.contains(name)) continue;
        names.push_back(name);
        numbers[name] = static_cast<std::int32_t>(names.size());
    }
    if (names.empty()) return;
    std::vector<std::int32_t> cells;
    for (const Index part : part_of_polygons(surface)) {
        const std::string name = part < 0 ? std::string() : surface.parts[part].*kind.member;
        cells.push_back(name.empty() ? 0 : numbers.at(name));
    }
    out.add("CellData", "Int32", kind.name, 1, std::span<const std::int32_t>(cells));
    out.add_strings(std::string(kind.name) + names_suffix, names);
}

} // namespace

std::string vtu_bytes(const std::filesystem::path& path, const TetMesh& mesh)
{
    require_finite(path, "position", coordinates(mesh.nodes), 3);
    require_corners(path, corners_of(mesh.tets), mesh.nodes.size());
    std::vector<std::int64_t> ends(mesh.tets.size());
    for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = static_cast<std::int64_t>(4 * (i + 1));
    const Bytes types(mesh.tets.size(), static_cast<std::uint8_t>(vtk_tetra));

    VtuText out(mesh.nodes.size(), mesh.tets.size());
    for (const auto& [name, nodes] : mesh.groups) {
        require_name(path, name, "");
        require_corners(path, nodes, mesh.nodes.size());
        Bytes member(mesh.nodes.size(), 0);
        for (const Index i : nodes) member[i] = 1;
        out.add("PointData", "UInt8", std::string(group_prefix) + name, 1, std::span<const std::uint8_t>(member));
    }
    out.add("Points", "Float64", "position", 3, coordinates(mesh.nodes));
    out.add("Cells", "Int32", "connectivity", 1, corners_of(mesh.tets));
    out.add("Cells", "Int64", "offsets", 1, std::span<const std::int64_t>(ends));
    out.add("Cells", "UInt8", "types", 1, std::span<const std::uint8_t>(types));
    return out.bytes();
}

std::string vtu_bytes(const std::filesystem::path& path, const Surface& surface)
{
    require_surface(path, surface, coordinates(surface.vertices));
    require_names(path, surface, "");
    std::vector<std::int64_t> ends;
    Bytes types;
    for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
        const Index count = surface.polygons[p + 1] - surface.polygons[p];
        ends.push_back(surface.polygons[p + 1]);
        types.push_back(static_cast<std::uint8_t>(count == 3 ? vtk_triangle : count == 4 ? vtk_quad : vtk_polygon));
    }

    VtuText out(surface.vertices.size(), surface.polygon_count());
    for (const PartKind& kind : part_kinds) add_names(out, surface, kind);
    if (!surface.material_files.empty()) out.add_strings(material_files_name, surface.material_files);
    if (!surface.texture.empty()) {
        const std::span<const double> uv(surface.texture.front().data(), 2 * surface.texture.size());
        const bool at_vertices = has_vertex_texture(surface);
        out.add(at_vertices ? "PointData" : "FieldData", "Float64", texture_name, 2, uv);
        if (!at_vertices && !surface.corner_texture.empty()) {
            out.add("FieldData", "Int32", corner_texture_name, 1, std::span<const Index>(surface.corner_texture));
        }
    }
    out.add("Points", "Float64", "position", 3, coordinates(surface.vertices));
    out.add("Cells", "Int32", "connectivity", 1, std::span<const Index>(surface.corners));
    out.add("Cells", "Int64", "offsets", 1, std::span<const std::int64_t>(ends));
    out.add("Cells", "UInt8", "types", 1, std::span<const std::uint8_t>(types));
    return out.bytes();
}

void write_vtu(const std::filesystem::path& path, const TetMesh& mesh)
{
    write_atomically(path, vtu_bytes(path, mesh));
}

void write_vtu(const std::filesystem::path& path, const Surface& surface)
{
    write_atomically(path, vtu_bytes(path, surface));
}

} // namespace rubato
