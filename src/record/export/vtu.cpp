#include "record/export/vtu.hpp"

#include "geometry/files/atomic_file.hpp"
#include "geometry/files/vtu_names.hpp"
#include "geometry/files/vtu_text.hpp"
#include "geometry/files/write_vtu.hpp"
#include "geometry/files/writing.hpp"
#include "record/export/body_mesh.hpp"
#include "record/export/streamed_file.hpp"

namespace rubato {

namespace {

namespace fs = std::filesystem;

/// Cells with corners in common points, as VTK wants them.
struct Cells {
    std::vector<Index> corners;
    std::vector<std::int64_t> ends;
    std::vector<std::uint8_t> types;
    std::vector<std::int32_t> body; ///< empty: not known
    std::size_t count() const { return types.size(); }
};

Cells cells_of(const std::vector<Tet>& tets)
{
    Cells cells;
    const auto corners = corners_of(tets);
    cells.corners.assign(corners.begin(), corners.end());
    for (std::size_t i = 1; i <= tets.size(); ++i) cells.ends.push_back(static_cast<std::int64_t>(4 * i));
    cells.types.assign(tets.size(), static_cast<std::uint8_t>(vtk_tetra));
    return cells;
}

/// Polygons as their author made them, body after body.
Cells cells_of(const std::vector<BodyMesh>& bodies)
{
    Cells cells;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Surface& surface = bodies[b].surface;
        for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
            const auto corners = surface.polygon(p);
            for (const Index corner : corners) cells.corners.push_back(bodies[b].body.first_point + corner);
            cells.ends.push_back(static_cast<std::int64_t>(cells.corners.size()));
            const std::size_t n = corners.size();
            cells.types.push_back(static_cast<std::uint8_t>(n == 3 ? vtk_triangle : n == 4 ? vtk_quad : vtk_polygon));
            cells.body.push_back(static_cast<std::int32_t>(b));
        }
    }
    return cells;
}

/// One moment as a file: positions, the other fields, and the way from where each point rests.
std::string bytes_of(const FrameHeader& header, const Frame& frame, const std::vector<FrameField>& fields,
    const std::vector<float>& rest, const Cells& cells)
{
    VtuText out(rest.size() / 3, cells.count());
    out.add("FieldData", "Float64", "TimeValue", 1, std::span<const double>(&frame.time, 1));
    if (!cells.body.empty()) {
        std::vector<std::string> names;
        for (const FrameBody& body : header.bodies) names.push_back(body.name);
        out.add_strings("body names", names);
        out.add("CellData", "Int32", "body", 1, std::span<const std::int32_t>(cells.body));
    }
    const auto x = frame.field(fields, rest.size() / 3, fields.front().name);
    std::vector<float> displacement(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) displacement[i] = x[i] - rest[i];
    for (const FrameField& field : fields) {
        if (&field == &fields.front()) continue; // the position
        const auto values = frame.field(fields, rest.size() / 3, field.name);
        out.add("PointData", "Float32", field.name, field.components, values);
    }
    out.add("PointData", "Float32", "displacement", 3, std::span<const float>(displacement));
    out.add("Points", "Float32", "position", 3, x);
    out.add("Cells", "Int32", "connectivity", 1, std::span<const Index>(cells.corners));
    out.add("Cells", "Int64", "offsets", 1, std::span<const std::int64_t>(cells.ends));
    out.add("Cells", "UInt8", "types", 1, std::span<const std::uint8_t>(cells.types));
    return out.bytes();
}

/// The files of one kind, and the collection that lists them.
struct FrameSeries {
    fs::path folder;
    std::string stem;
    std::vector<PvdFrame> frames = {};

    fs::path add(std::size_t number, double time, const std::string& bytes)
    {
        frames.push_back({time, fmt::format("{}_{:06}.vtu", stem, number)});
        const fs::path file = folder / frames.back().file;
        write_atomically(file, bytes);
        return file;
    }
    fs::path collect(const char* name) const
    {
        write_pvd(folder / name, frames);
        return folder / name;
    }
};

} // namespace

std::vector<fs::path> export_vtu(const FrameSelection& frames, const ExportOptions& options)
{
    make_folder(options.folder);
    FrameReader& reader = frames.reader();
    const FrameHeader& header = frames.header();
    const Cells polygons = cells_of(body_meshes(reader));
    const std::vector<float> rest = reader.rest();
    const bool with_tets = header.tetrahedra > 0;
    const Cells tets = with_tets ? cells_of(reader.tetrahedra()) : Cells{};
    const std::vector<float> node_rest = with_tets ? reader.node_rest() : std::vector<float>();

    FrameSeries surface{options.folder, "surface"}, tetrahedra{options.folder, "frame"};
    std::vector<fs::path> written;
    for (std::size_t i = 0; i < frames.count(); ++i) {
        const Frame frame = frames.frame(i);
        written.push_back(surface.add(i, frame.time, bytes_of(header, frame, header.fields, rest, polygons)));
        if (!with_tets) continue;
        const Frame nodes = frames.node_frame(i);
        if (nodes.values.empty()) continue; // the file ends between the two halves of a frame
        written.push_back(tetrahedra.add(i, frame.time, bytes_of(header, nodes, header.node_fields, node_rest, tets)));
    }
    if (with_tets) written.insert(written.begin(), tetrahedra.collect("tetrahedra.pvd"));
    written.insert(written.begin(), surface.collect("surface.pvd"));
    return written;
}

} // namespace rubato
