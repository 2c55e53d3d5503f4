#include "geometry/files/write_vtu.hpp"

#include "base/errors.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/vtu_text.hpp"
#include "geometry/files/writing.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>

namespace rubato {

namespace {

/// VTK's numbers for the cells that occur here.
enum class Cell : std::uint8_t { triangle = 5, tetrahedron = 10 };

std::string vtu_bytes(std::span<const double> x, Cell cell, std::span<const Index> corners, std::size_t per_cell,
    const std::vector<NodeField>& fields)
{
    const std::size_t cells = corners.size() / per_cell;
    std::vector<std::int64_t> ends(cells);
    for (std::size_t i = 0; i < cells; ++i) ends[i] = static_cast<std::int64_t>((i + 1) * per_cell);
    const std::vector<std::uint8_t> types(cells, static_cast<std::uint8_t>(cell));

    VtuText out(x.size() / 3, cells);
    for (const NodeField& f : fields) out.add("PointData", "Float64", f.name, f.components, f.values);
    out.add("Points", "Float64", "position", 3, x);
    static_assert(sizeof(Index) == 4);
    out.add("Cells", "Int32", "connectivity", 1, corners);
    out.add("Cells", "Int64", "offsets", 1, std::span<const std::int64_t>(ends));
    out.add("Cells", "UInt8", "types", 1, std::span<const std::uint8_t>(types));
    return out.bytes();
}

void write(const std::filesystem::path& path, std::span<const double> x, Cell cell, std::span<const Index> corners,
    std::size_t per_cell, const std::vector<NodeField>& fields)
{
    if (x.size() % 3 != 0) throw WriteError(path.string(), "positions must have three numbers per node");
    require_finite(path, "position", x, 3);
    require_corners(path, corners, x.size() / 3);
    for (const NodeField& f : fields) {
        const auto components = static_cast<std::size_t>(f.components);
        if (f.values.size() != components * (x.size() / 3)) {
            throw WriteError(path.string(),
                fmt::format("field '{}' has {} numbers for {} nodes", f.name, f.values.size(), x.size() / 3));
        }
        require_finite(path, f.name, f.values, components);
    }
    write_atomically(path, vtu_bytes(x, cell, corners, per_cell, fields));
}

} // namespace

NodeField scalar_field(std::string name, const std::vector<double>& values) { return {std::move(name), 1, values}; }

NodeField vector_field(std::string name, const std::vector<Vec3>& values)
{
    return {std::move(name), 3, coordinates(values)};
}

NodeField vector_field(std::string name, const Vector& values) { return {std::move(name), 3, coordinates(values)}; }

void write_vtu(const std::filesystem::path& path, const Vector& x, const std::vector<Tet>& tets,
    const std::vector<NodeField>& fields)
{
    write(path, coordinates(x), Cell::tetrahedron, corners_of(tets), 4, fields);
}

void write_vtu(const std::filesystem::path& path, const Vector& x, const std::vector<Triangle>& triangles,
    const std::vector<NodeField>& fields)
{
    write(path, coordinates(x), Cell::triangle, corners_of(triangles), 3, fields);
}

void write_vtu(const std::filesystem::path& path, const std::vector<Vec3>& nodes, const std::vector<Tet>& tets,
    const std::vector<NodeField>& fields)
{
    write(path, coordinates(nodes), Cell::tetrahedron, corners_of(tets), 4, fields);
}

void write_pvd(const std::filesystem::path& path, const std::vector<PvdFrame>& frames)
{
    std::string xml = fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                                  "byte_order=\"{}\">\n<Collection>\n",
        VtuText::byte_order);
    for (const PvdFrame& frame : frames) {
        if (!std::isfinite(frame.time)) throw WriteError(path.string(), "the time of " + frame.file + " is not finite");
        fmt::format_to(std::back_inserter(xml), "<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time,
            xml_text(frame.file));
    }
    xml += "</Collection>\n</VTKFile>\n";
    write_atomically(path, xml);
}

} // namespace rubato
