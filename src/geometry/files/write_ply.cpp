#include "geometry/files/atomic_file.hpp"
#include "geometry/files/number_text.hpp"
#include "geometry/files/part_names.hpp"
#include "geometry/files/ply.hpp"
#include "geometry/files/texture_numbers.hpp"
#include "geometry/files/writing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>

namespace rubato {

namespace {

/// The elements, as text or in little-endian bytes.
class PlyData {
public:
    explicit PlyData(bool binary)
        : binary_(binary)
    {
    }

    void real(double value) { add(value); }
    void integer(std::int32_t value) { add(value); }
    void count(std::size_t value, bool one_byte)
    {
        one_byte ? add(static_cast<std::uint8_t>(value)) : add(static_cast<std::uint32_t>(value));
    }
    void end_record()
    {
        if (!binary_) text_.text("\n");
        line_started_ = false;
    }
    std::string take() { return text_.take(); }

private:
    template <class T>
    void add(T value)
    {
        if (binary_) {
            char raw[sizeof(T)];
            std::copy_n(reinterpret_cast<const char*>(&value), sizeof(T), raw);
            if constexpr (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof(T));
            text_.text({raw, sizeof(T)});
            return;
        }
        if (line_started_) text_.text(" ");
        line_started_ = true;
        if constexpr (std::is_same_v<T, double>) {
            text_.real(value);
        } else {
            text_.integer(value);
        }
    }

    NumberText text_;
    bool binary_;
    bool line_started_ = false;
};

} // namespace

std::string ply_bytes(const std::filesystem::path& path, const Surface& surface, PlyEncoding encoding)
{
    require_surface(path, surface, coordinates(surface.vertices));
    require_names(path, surface, "");
    const bool vertex_texture = has_vertex_texture(surface);
    const bool corner_texture = !vertex_texture && !surface.corner_texture.empty();
    std::size_t most = 0;
    for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
        most = std::max<std::size_t>(most, surface.polygons[p + 1] - surface.polygons[p]);
    }
    const bool one_byte = most <= (corner_texture ? 127 : 255);
    const char* count = one_byte ? "uchar" : "uint";

    std::string header = "ply\n";
    const auto out = std::back_inserter(header);
    fmt::format_to(out, "format {} 1.0\n", encoding == PlyEncoding::binary ? "binary_little_endian" : "ascii");
    for (const std::string& line : name_comments(surface)) fmt::format_to(out, "comment {}\n", line);
    fmt::format_to(
        out, "element vertex {}\nproperty double x\nproperty double y\nproperty double z\n", surface.vertices.size());
    if (vertex_texture) header += "property double s\nproperty double t\n";
    fmt::format_to(out, "element face {}\nproperty list {} int vertex_indices\n", surface.polygon_count(), count);
    if (corner_texture) fmt::format_to(out, "property list {} double texcoord\n", count);
    header += "end_header\n";

    PlyData data(encoding == PlyEncoding::binary);
    for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
        for (const double x : surface.vertices[i]) data.real(x);
        if (vertex_texture) data.real(surface.texture[i][0]), data.real(surface.texture[i][1]);
        data.end_record();
    }
    for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
        const auto begin = static_cast<std::size_t>(surface.polygons[p]);
        const auto end = static_cast<std::size_t>(surface.polygons[p + 1]);
        data.count(end - begin, one_byte);
        for (std::size_t c = begin; c < end; ++c) data.integer(surface.corners[c]);
        if (corner_texture) {
            const Index* numbers = surface.corner_texture.data();
            const bool whole = std::all_of(numbers + begin, numbers + end, [](Index i) { return i >= 0; });
            data.count(whole ? 2 * (end - begin) : 0, one_byte);
            for (std::size_t c = begin; whole && c < end; ++c) {
                for (const double x : surface.texture[numbers[c]]) data.real(x);
            }
        }
        data.end_record();
    }
    return header + data.take();
}

void write_ply(const std::filesystem::path& path, const Surface& surface, PlyEncoding encoding)
{
    write_atomically(path, ply_bytes(path, surface, encoding));
}

} // namespace rubato
