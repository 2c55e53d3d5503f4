#include "geometry/files/write_msh.hpp"

#include "base/errors.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/msh_elements.hpp"
#include "geometry/files/writing.hpp"
#include "geometry/transforms.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace rubato {

namespace {

/// A file that grows: the same calls add a number as text or in machine representation.
class MshText {
public:
    explicit MshText(bool binary)
        : binary_(binary)
    {
    }

    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args)
    {
        fmt::format_to(std::back_inserter(bytes_), format, std::forward<Args>(args)...);
        bytes_ += '\n';
    }
    template <class T>
    void add(T value)
    {
        if (binary_) {
            bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        } else {
            if (!bytes_.empty() && bytes_.back() != '\n') bytes_ += ' ';
            fmt::format_to(std::back_inserter(bytes_), "{}", value); // shortest text that gives back the same number
        }
    }
    void integer(std::int32_t value) { add(value); }
    void size(std::uint64_t value) { add(value); }
    void reals(const Vec3& x) { add(x[0]), add(x[1]), add(x[2]); }
    void end_record()
    {
        if (!binary_) bytes_ += '\n';
    }
    void end_section(const char* marker)
    {
        if (binary_) bytes_ += '\n';
        line("{}", marker);
    }

    bool binary() const { return binary_; }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
    bool binary_;
};

void add_head(MshText& out, const TetMesh& mesh, const char* version)
{
    out.line("$MeshFormat");
    out.line("{} {} 8", version, out.binary() ? 1 : 0);
    if (out.binary()) {
        out.integer(1);
        out.line("");
    }
    out.line("$EndMeshFormat");
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
    out.line("$Nodes");
    out.line("{}", mesh.nodes.size());
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        out.integer(static_cast<std::int32_t>(i + 1));
        out.reals(mesh.nodes[i]);
        out.end_record();
    }
    out.end_section("$EndNodes");

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

/// Four counts in front of nodes or elements numbered 1 ... count.
void add_header_4(MshText& out, std::size_t blocks, std::size_t count)
{
    for (const std::size_t n : {blocks, count, std::size_t(count > 0), count}) out.size(n);
    out.end_record();
}

void add_body_4(MshText& out, const TetMesh& mesh)
{
    add_entities_4(out, mesh);

    out.line("$Nodes");
    add_header_4(out, 1, mesh.nodes.size());
    for (const int value : {3, 1, 0}) out.integer(value); // dimension, entity, not parametric
    out.size(mesh.nodes.size());
    out.end_record();
    for (std::size_t i = 1; i <= mesh.nodes.size(); ++i) {
        out.size(i);
        out.end_record();
    }
    for (const Vec3& x : mesh.nodes) {
        out.reals(x);
        out.end_record();
    }
    out.end_section("$EndNodes");

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
    add_header_4(out, blocks, count);
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
        add_head(out, mesh, "2.2");
        add_body_2(out, mesh);
    } else {
        add_head(out, mesh, "4.1");
        add_body_4(out, mesh);
    }
    return out.take();
}

void write_msh(const std::filesystem::path& path, const TetMesh& mesh, MshVersion version, MshEncoding encoding)
{
    write_atomically(path, msh_bytes(path, mesh, version, encoding));
}

} // namespace rubato
