#include "geometry/files/write_msh.hpp"

#include "base/errors.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/msh_elements.hpp"
#include "geometry/files/msh_text.hpp"
#include "geometry/files/writing.hpp"
#include "geometry/transforms.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace rubato {

namespace {

void add_names(MshText& out, const TetMesh& mesh)
{
    if (mesh.groups.empty()) return;
    out.line("$PhysicalNames");
    out.line("{}", mesh.groups.size());
    int tag = 0;
    for (const auto& [name, nodes] : mesh.groups) out.line("0 {} \"{}\"", ++tag, name);
    out.line("$EndPhysicalNames");
}

// Nodes and elements are numbered from 1, tetrahedra before the points that carry the groups: then the k-th
// tetrahedron has the number k.

void add_body_2(MshText& out, const TetMesh& mesh)
{
    out.nodes_2(mesh.nodes);

    std::size_t count = mesh.tets.size();
    for (const auto& [name, nodes] : mesh.groups) count += nodes.size();
    out.line("$Elements");
    out.line("{}", count);
    std::int32_t number = 0;
    const auto add_block = [&](int type, std::size_t size) {
        if (!out.binary() || size == 0) return;
        out.integer(type);
        out.integer(static_cast<std::int32_t>(size));
        out.integer(2);
    };
    const auto add_element = [&](int type, int physical, int entity, std::span<const Index> corners) {
        out.integer(++number);
        if (!out.binary()) {
            out.integer(type);
            out.integer(2);
        }
        out.integer(physical);
        out.integer(entity);
        for (const Index i : corners) out.integer(i + 1);
        out.end_record();
    };
    add_block(msh_tet, mesh.tets.size());
    for (const Tet& tet : mesh.tets) add_element(msh_tet, 0, 1, tet);
    int tag = 0;
    for (const auto& [name, nodes] : mesh.groups) {
        ++tag;
        add_block(msh_point, nodes.size());
        for (const Index& i : nodes) add_element(msh_point, tag, tag, {&i, 1});
    }
    out.end_section("$EndElements");
}

void add_entities_4(MshText& out, const TetMesh& mesh)
{
    const Bounds box = bounds(mesh.nodes);
    out.line("$Entities");
    for (const std::size_t count : {mesh.groups.size(), std::size_t(0), std::size_t(0), std::size_t(1)})
        out.size(count);
    out.end_record();
    std::int32_t tag = 0;
    for (const auto& [name, nodes] : mesh.groups) {
        out.integer(++tag);
        out.reals(nodes.empty() ? Vec3(Vec3::Zero()) : mesh.nodes[nodes.front()]);
        out.size(1);
        out.integer(tag);
        out.end_record();
    }
    out.integer(1);
    out.reals(box.low);
    out.reals(box.high);
    out.size(0); // physical tags
    out.size(0); // bounding surfaces
    out.end_record();
    out.end_section("$EndEntities");
}

void add_body_4(MshText& out, const TetMesh& mesh)
{
    add_entities_4(out, mesh);

    out.nodes_4(mesh.nodes, 3);

    std::size_t blocks = 1, count = mesh.tets.size();
    for (const auto& [name, nodes] : mesh.groups) {
        blocks += !nodes.empty();
        count += nodes.size();
    }
    std::uint64_t number = 0;
    const auto add_block = [&](int dimension, int entity, int type, std::size_t size) {
        for (const int value : {dimension, entity, type}) out.integer(value);
        out.size(size);
        out.end_record();
    };
    const auto add_element = [&](std::span<const Index> corners) {
        out.size(++number);
        for (const Index i : corners) out.size(static_cast<std::uint64_t>(i) + 1);
        out.end_record();
    };
    out.line("$Elements");
    out.header_4(blocks, count);
    add_block(3, 1, msh_tet, mesh.tets.size());
    for (const Tet& tet : mesh.tets) add_element(tet);
    int tag = 0;
    for (const auto& [name, nodes] : mesh.groups) {
        ++tag;
        if (nodes.empty()) continue;
        add_block(0, tag, msh_point, nodes.size());
        for (const Index& i : nodes) add_element({&i, 1});
    }
    out.end_section("$EndElements");
}

} // namespace

std::string msh_bytes(const std::filesystem::path& path, const TetMesh& mesh, MshVersion version, MshEncoding encoding)
{
    require_finite(path, "position", coordinates(mesh.nodes), 3);
    require_corners(path, corners_of(mesh.tets), mesh.nodes.size());
    for (const auto& [name, nodes] : mesh.groups) {
        require_corners(path, nodes, mesh.nodes.size());
        if (name.empty() || name.find_first_of("\r\n") != std::string::npos) {
            throw WriteError(path.string(), "the name of a group must have letters and no line break");
        }
    }
    MshText out(encoding == MshEncoding::binary);
    if (version == MshVersion::v2_2) {
        out.head("2.2");
        add_names(out, mesh);
        add_body_2(out, mesh);
    } else {
        out.head("4.1");
        add_names(out, mesh);
        add_body_4(out, mesh);
    }
    return out.take();
}

void write_msh(const std::filesystem::path& path, const TetMesh& mesh, MshVersion version, MshEncoding encoding)
{
    write_atomically(path, msh_bytes(path, mesh, version, encoding));
}

} // namespace rubato
