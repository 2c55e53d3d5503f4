#include "record/export/ply.hpp"

#include "geometry/files/atomic_file.hpp"
#include "record/export/names.hpp"
#include "record/export/streamed_file.hpp"

#include <fmt/format.h>

#include <bit>

namespace rubato {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

template <class T>
void append(std::string& bytes, const T& value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// x y z, vx vy vz, or the name of a field with one number, name_0, name_1 ... with several.
std::string property_name(const FrameField& field, int component)
{
    if (field.components == 3 && field.name == "position") return std::string(1, "xyz"[component]);
    if (field.components == 3 && field.name == "velocity") return std::string("v") + "xyz"[component];
    const std::string name = prim_name(field.name); // a word
    return field.components == 1 ? name : fmt::format("{}_{}", name, component);
}

std::string header_of(const FrameHeader& header, double time)
{
    std::string text = fmt::format("ply\nformat binary_little_endian 1.0\ncomment Rubato {}, scene {}\n"
                                   "comment time {} s\n",
        line_name(header.program), line_name(header.scene), time);
    for (std::size_t b = 0; b < header.bodies.size(); ++b)
        text += fmt::format("comment body {} {}\n", b, line_name(header.bodies[b].name));
    text += fmt::format("element vertex {}\n", header.points);
    for (const FrameField& field : header.fields) {
        for (int c = 0; c < field.components; ++c) text += "property float " + property_name(field, c) + "\n";
    }
    return text
        + fmt::format("property int body\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
            header.triangles);
}

std::string faces_of(FrameReader& reader)
{
    std::string bytes;
    for (const Triangle& triangle : reader.triangles()) {
        append(bytes, std::uint8_t{3});
        for (const Index corner : triangle) append(bytes, static_cast<std::int32_t>(corner));
    }
    return bytes;
}

} // namespace

std::vector<std::filesystem::path> export_ply(const FrameSelection& frames, const ExportOptions& options)
{
    make_folder(options.folder);
    const FrameHeader& header = frames.header();
    const std::string faces = faces_of(frames.reader());
    std::vector<std::filesystem::path> written;
    std::string bytes;
    for (std::size_t i = 0; i < frames.count(); ++i) {
        const Frame frame = frames.frame(i);
        bytes = header_of(header, frame.time);
        for (std::size_t b = 0; b < header.bodies.size(); ++b) {
            const auto first = static_cast<std::size_t>(header.bodies[b].first_point);
            for (std::size_t p = first; p < first + static_cast<std::size_t>(header.bodies[b].points); ++p) {
                std::size_t field_begin = 0; // fields follow each other, each with all its points
                for (const FrameField& field : header.fields) {
                    const auto components = static_cast<std::size_t>(field.components);
                    const float* values = frame.values.data() + field_begin + p * components;
                    bytes.append(reinterpret_cast<const char*>(values), components * sizeof(float));
                    field_begin += static_cast<std::size_t>(header.points) * components;
                }
                append(bytes, static_cast<std::int32_t>(b));
            }
        }
        bytes += faces;
        written.push_back(options.folder / fmt::format("frame_{:06}.ply", i));
        write_atomically(written.back(), bytes);
    }
    return written;
}

} // namespace rubato
