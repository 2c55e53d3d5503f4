/// OFF: the keyword [ST][C][N]OFF; numbers of vertices, faces and edges; a line per vertex: x y z and what the keyword
/// adds; a line per face: number of corners, corners from 0, perhaps a colour. # opens a comment.

#include "geometry/files/off.hpp"

#include "base/input_file.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/mesh_source.hpp"
#include "geometry/files/number_text.hpp"
#include "geometry/files/part_names.hpp"
#include "geometry/files/surface_draft.hpp"
#include "geometry/files/texture_numbers.hpp"
#include "geometry/files/writing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

namespace {

/// Whether the keyword brings texture coordinates; an error for what is not read.
bool textured(MeshSource& source)
{
    const std::string_view keyword = source.word("first word");
    std::string_view rest = keyword;
    const auto take = [&](std::string_view prefix) {
        const bool found = rest.starts_with(prefix);
        if (found) rest.remove_prefix(prefix.size());
        return found;
    };
    const bool texture = take("ST");
    take("C");
    take("N");
    if (rest != "OFF") {
        source.fail("first word", std::string(keyword),
            "must be OFF, perhaps with ST, C or N before it (four and more dimensions are not read)");
    }
    return texture;
}

/// The comments that begin a line, for the names of parts.
NameComments names(std::string_view bytes)
{
    NameComments found;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
        std::string_view line = bytes.substr(at, end - at);
        while (line.ends_with('\r')) line.remove_suffix(1);
        if (line.starts_with("# ")) found.read(line.substr(2));
        at = end + 1;
    }
    return found;
}

/// The last two numbers of the line; 0 0 when it has none.
Eigen::Vector2d last_two(MeshSource& source)
{
    Eigen::Vector2d uv(0, 0);
    MeshSource numbers = source; // to look at the line without moving
    std::size_t count = 0;
    for (std::string_view rest = source.rest_of_line(); !rest.empty() && rest.front() != '#'; ++count) {
        const std::size_t end = std::min(rest.find_first_of(" \t\r"), rest.size());
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r", end), rest.size()));
    }
    if (count < 2) numbers.fail("texture coordinates", "end of line", "a vertex of an STOFF file has two");
    for (std::size_t i = 0; i < count - 2; ++i) numbers.word("colour or normal");
    uv[0] = numbers.text_real("s");
    uv[1] = numbers.text_real("t");
    return uv;
}

} // namespace

Surface off_from_bytes(std::string_view bytes, const std::string& file)
{
    MeshSource source(file, bytes);
    source.set_comment('#');
    if (source.at_end()) source.fail("first word", "nothing", "the file is empty");
    const bool has_texture = textured(source);
    source.begin_record("header");
    const std::uint64_t vertices = source.text_size("number of vertices");
    const std::uint64_t faces = source.text_size("number of faces");
    source.rest_of_line(); // the number of edges, which nobody fills in
    source.require_room(vertices, 6, "number of vertices");
    source.require_room(faces, 8, "number of faces");
    if (vertices > most_corners) source.fail("number of vertices", fmt::format("{}", vertices), "is too large");
    if (faces == 0) source.fail("number of faces", "0", "at least one is needed");

    Surface surface;
    surface.vertices.reserve(vertices);
    for (std::uint64_t i = 1; i <= vertices; ++i) {
        source.begin_record("vertex", i);
        const double x = source.text_real("x");
        const double y = source.text_real("y");
        const double z = source.text_real("z");
        surface.vertices.emplace_back(x, y, z);
        if (has_texture) surface.texture.push_back(last_two(source));
        source.rest_of_line();
    }
    surface.polygons.reserve(faces + 1);
    std::vector<Index> polygon;
    for (std::uint64_t i = 1; i <= faces; ++i) {
        source.begin_record("face", i);
        const std::uint64_t count = source.text_size("number of corners");
        if (count < 3) source.fail("number of corners", fmt::format("{}", count), "must be at least 3");
        source.require_room(count, 2, "number of corners");
        if (count > most_corners - surface.corners.size()) {
            source.fail("number of corners", fmt::format("{}", count), "there are too many corners in all");
        }
        polygon.clear();
        for (std::uint64_t c = 0; c < count; ++c) {
            const std::uint64_t corner = source.text_size("corner");
            if (corner >= vertices) {
                source.fail("corner", fmt::format("{}", corner),
                    fmt::format("must be less than {}, the number of vertices", vertices));
            }
            polygon.push_back(static_cast<Index>(corner));
        }
        add_polygon(surface, {}, polygon, has_texture ? std::span<const Index>(polygon) : std::span<const Index>());
        source.rest_of_line();
    }
    source.begin_record("");
    if (!source.at_end()) {
        source.fail(
            "text behind the last face", std::string(source.word("text")), "the counts in the header may be wrong");
    }
    names(bytes).apply(surface);
    return surface;
}

Surface read_off(const std::filesystem::path& path) { return off_from_bytes(file_bytes(path), path.string()); }

std::string off_bytes(const std::filesystem::path& path, const Surface& surface)
{
    require_surface(path, surface, coordinates(surface.vertices));
    require_names(path, surface, "");
    const bool texture = has_vertex_texture(surface);
    NumberText out(75 * surface.vertices.size() + 16 * surface.corners.size());
    out.text(texture ? "STOFF\n" : "OFF\n");
    for (const std::string& line : name_comments(surface)) out.text("# "), out.text(line), out.text("\n");
    out.text(fmt::format("{} {} 0\n", surface.vertices.size(), surface.polygon_count()));
    for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
        out.reals({surface.vertices[i].data(), 3});
        if (texture) out.text(" "), out.reals({surface.texture[i].data(), 2});
        out.text("\n");
    }
    for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
        out.integer(surface.polygons[p + 1] - surface.polygons[p]);
        for (Index c = surface.polygons[p]; c < surface.polygons[p + 1]; ++c) {
            out.text(" ");
            out.integer(surface.corners[c]);
        }
        out.text("\n");
    }
    return out.take();
}

void write_off(const std::filesystem::path& path, const Surface& surface)
{
    write_atomically(path, off_bytes(path, surface));
}

} // namespace rubato
