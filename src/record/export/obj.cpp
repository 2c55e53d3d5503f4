#include "record/export/obj.hpp"

#include "geometry/files/atomic_file.hpp"
#include "geometry/files/number_text.hpp"
#include "geometry/files/part_names.hpp"
#include "geometry/files/write_obj.hpp"
#include "record/export/body_mesh.hpp"
#include "record/export/names.hpp"
#include "record/export/streamed_file.hpp"

#include <fmt/format.h>

namespace rubato {

namespace {

/// Where polygons belong to no object, they get the name of their body.
void name_objects(Surface& all, const std::vector<BodyMesh>& bodies)
{
    const std::vector<Index> part_of = part_of_polygons(all);
    std::vector<SurfacePart> parts;
    Index polygon = 0;
    for (const BodyMesh& mesh : bodies) {
        Index last = -2; // no part has this number
        for (std::size_t i = 0; i < mesh.surface.polygon_count(); ++i, ++polygon) {
            const Index part = part_of[static_cast<std::size_t>(polygon)];
            if (part == last) continue;
            last = part;
            SurfacePart names = part < 0 ? SurfacePart{} : all.parts[static_cast<std::size_t>(part)];
            names.first_polygon = polygon;
            if (names.object.empty()) names.object = line_name(mesh.body.name);
            parts.push_back(std::move(names));
        }
    }
    all.parts = std::move(parts);
}

} // namespace

std::vector<std::filesystem::path> export_obj(const FrameSelection& frames, const ExportOptions& options)
{
    make_folder(options.folder);
    const FrameHeader& header = frames.header();
    Surface surface = frames.reader().surface();
    name_objects(surface, body_meshes(frames.reader()));
    name_materials_from(options.folder, frames.reader(), surface);
    const std::string behind = obj_topology(options.folder / "frame.obj", surface);

    // An author may have called the objects otherwise; comments say which vertices are which body's.
    std::string ahead = fmt::format("# Rubato {}, scene {}\n", line_name(header.program), line_name(header.scene));
    for (const FrameBody& body : header.bodies) {
        ahead
            += fmt::format("# body {}: {} vertices from {}\n", line_name(body.name), body.points, body.first_point + 1);
    }
    std::string material_files;
    for (const std::string& file : surface.material_files) material_files += "mtllib " + file + "\n";

    std::vector<std::filesystem::path> written;
    NumberText out;
    for (std::size_t i = 0; i < frames.count(); ++i) {
        const Frame frame = frames.frame(i);
        const auto x = frames.field(frame, "position");
        out.clear();
        out.text(ahead);
        out.text(fmt::format("# time {} s\n", frame.time));
        out.text(material_files);
        for (std::size_t k = 0; k < x.size(); k += 3) {
            out.text("v ");
            out.single(x[k]);
            out.text(" ");
            out.single(x[k + 1]);
            out.text(" ");
            out.single(x[k + 2]);
            out.text("\n");
        }
        out.text(behind);
        written.push_back(options.folder / fmt::format("frame_{:06}.obj", i));
        write_atomically(written.back(), out.bytes());
    }
    return written;
}

} // namespace rubato
