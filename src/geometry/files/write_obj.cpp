#include "geometry/files/write_obj.hpp"

#include "geometry/files/atomic_file.hpp"
#include "geometry/files/writing.hpp"

#include <fmt/format.h>

#include <iterator>

namespace rubato {

void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh)
{
    require_finite(path, "position", coordinates(mesh.nodes), 3);
    require_corners(path, corners_of(mesh.triangles), mesh.nodes.size());
    std::string text;
    text.reserve(64 * mesh.nodes.size() + 24 * mesh.triangles.size());
    const auto out = std::back_inserter(text);
    for (const Vec3& x : mesh.nodes) fmt::format_to(out, "v {} {} {}\n", x[0], x[1], x[2]);
    for (const Triangle& t : mesh.triangles) fmt::format_to(out, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    write_atomically(path, text);
}

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
