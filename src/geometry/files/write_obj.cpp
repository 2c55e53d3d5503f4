#include "geometry/files/write_obj.hpp"

#include "base/errors.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/number_text.hpp"
#include "geometry/files/writing.hpp"

namespace rubato {

namespace {

/// The names in force, each as a line of its own where it changes. A name that ends does so before others begin: many
/// programs take a bare g for the beginning of an object without a name.
void add_names(NumberText& out, const SurfacePart& before, const SurfacePart& part)
{
    const auto add = [&](std::string_view keyword, const std::string& old, const std::string& name, bool begins) {
        if (name == old || name.empty() == begins) return;
        out.text(keyword);
        if (!name.empty()) out.text(" "), out.text(name);
        out.text("\n");
    };
    for (const bool begins : {false, true}) {
        add("o", before.object, part.object, begins);
        add("g", before.group, part.group, begins);
        add("usemtl", before.material, part.material, begins);
    }
}

/// A # after a blank opens a comment, a backslash at the end of a line joins it to the next.
void require_obj_names(const std::filesystem::path& path, const Surface& surface)
{
    require_names(path, surface, "");
    const auto require = [&](const std::string& name) {
        if (name.starts_with('#') || name.ends_with('\\') || name.find(" #") != std::string::npos
            || name.find("\t#") != std::string::npos) {
            throw WriteError(path.string(), "the name '" + printable(name) + "' would not come back from an OBJ file");
        }
    };
    for (const SurfacePart& part : surface.parts) require(part.object), require(part.group), require(part.material);
    for (const std::string& name : surface.material_files) require(name);
}

std::size_t topology_bytes(const Surface& topology)
{
    return 25 * 2 * topology.texture.size() + 24 * topology.corners.size(); // about
}

void add_topology(NumberText& out, const Surface& topology)
{
    for (const Eigen::Vector2d& uv : topology.texture) {
        out.text("vt ");
        out.reals({uv.data(), 2});
        out.text("\n");
    }
    SurfacePart names;
    std::size_t next_part = 0;
    for (std::size_t p = 0; p < topology.polygon_count(); ++p) {
        for (; next_part < topology.parts.size() && topology.parts[next_part].first_polygon <= static_cast<Index>(p);
             ++next_part) {
            add_names(out, names, topology.parts[next_part]);
            names = topology.parts[next_part];
        }
        out.text("f");
        for (Index c = topology.polygons[p]; c < topology.polygons[p + 1]; ++c) {
            out.text(" ");
            out.integer(topology.corners[c] + 1LL);
            if (!topology.corner_texture.empty() && topology.corner_texture[c] >= 0) {
                out.text("/");
                out.integer(topology.corner_texture[c] + 1LL);
            }
        }
        out.text("\n");
    }
}

} // namespace

std::string obj_bytes(const std::filesystem::path& path, const Surface& topology, std::span<const double> positions)
{
    require_surface(path, topology, positions);
    require_obj_names(path, topology);
    NumberText out(25 * positions.size() + topology_bytes(topology));
    for (const std::string& file : topology.material_files) out.text("mtllib "), out.text(file), out.text("\n");
    for (std::size_t i = 0; i < positions.size(); i += 3) {
        out.text("v ");
        out.reals(positions.subspan(i, 3));
        out.text("\n");
    }
    add_topology(out, topology);
    return out.take();
}

std::string obj_topology(const std::filesystem::path& path, const Surface& topology)
{
    require_surface(path, topology, coordinates(topology.vertices));
    require_obj_names(path, topology);
    NumberText out(topology_bytes(topology));
    add_topology(out, topology);
    return out.take();
}

void write_obj(const std::filesystem::path& path, const Surface& topology, std::span<const double> positions)
{
    write_atomically(path, obj_bytes(path, topology, positions));
}

void write_obj(const std::filesystem::path& path, const Surface& surface)
{
    write_obj(path, surface, coordinates(surface.vertices));
}

void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh) { write_obj(path, surface_of(mesh)); }

void write_obj(const std::filesystem::path& path, const BoundarySurface& surface, const Vector& x)
{
    require_corners(path, surface.nodes, static_cast<std::size_t>(x.size() / 3));
    TriangleMesh mesh;
    mesh.nodes.reserve(surface.nodes.size());
    for (const Index i : surface.nodes) mesh.nodes.push_back(node(x, i));
    mesh.triangles = surface.triangles;
    write_obj(path, mesh);
}

} // namespace rubato
