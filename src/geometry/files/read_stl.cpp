/// STL.
///
///   text:   solid NAME { facet normal nx ny nz  outer loop  vertex x y z (three times)  endloop  endfacet }
///           endsolid NAME; several solids may follow each other
///   binary: 80 bytes of anything, the number n of triangles (4 bytes), then n times 50 bytes: normal and three corners
///           (12 floats, little endian) and 2 bytes of attributes

#include "base/input_file.hpp"
#include "geometry/files/mesh_source.hpp"
#include "geometry/files/stl.hpp"
#include "geometry/files/surface_draft.hpp"
#include "geometry/same_place.hpp"

#include <fmt/format.h>

#include <bit>

namespace rubato {

namespace {

constexpr std::size_t header_size = 80, triangle_size = 50;

/// The bytes of a binary file of that many triangles; 0 for what cannot be one.
std::size_t binary_size(std::string_view bytes)
{
    if (bytes.size() < header_size + 4) return 0;
    constexpr bool swapped = std::endian::native == std::endian::big;
    const auto count = static_cast<std::size_t>(integer_at(bytes.data() + header_size, Scalar::uint32, swapped));
    return header_size + 4 + triangle_size * count;
}

std::string lower(std::string_view word)
{
    std::string s(word);
    for (char& c : s) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return s;
}

void expect_word(MeshSource& source, const char* wanted)
{
    const std::string_view found = source.word(wanted);
    if (lower(found) != wanted) source.fail("word", std::string(found), fmt::format("expected {} here", wanted));
}

/// One vertex for each position, equal positions alike; polygons are the corners in threes.
void weld(Surface& surface, const std::vector<Vec3>& corners)
{
    const std::vector<Index> first = first_at_same_place(corners);
    surface.corners.resize(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (first[i] == static_cast<Index>(i)) {
            surface.corners[i] = static_cast<Index>(surface.vertices.size());
            surface.vertices.push_back(corners[i]);
        } else {
            surface.corners[i] = surface.corners[first[i]];
        }
    }
}

void require_triangles(const MeshSource& source, std::size_t corners)
{
    if (corners == 0) source.fail("triangles", "none", "at least one is needed");
    if (corners > most_corners) source.fail("triangles", fmt::format("{}", corners / 3), "are too many");
}

Surface from_binary(std::string_view bytes, const std::string& file)
{
    MeshSource source(file, bytes);
    source.set_binary();
    if constexpr (std::endian::native == std::endian::big) source.set_swapped();
    source.skip_bytes("header", header_size);
    const std::int64_t count = source.integer("number of triangles", Scalar::uint32);
    source.require_room(static_cast<std::uint64_t>(count), triangle_size, "number of triangles");
    if (bytes.size() != binary_size(bytes)) {
        source.fail("number of triangles", fmt::format("{}", count),
            fmt::format("a file of so many has {} bytes, this one has {}", binary_size(bytes), bytes.size()));
    }
    require_triangles(source, 3 * static_cast<std::size_t>(count));
    std::vector<Vec3> corners;
    corners.reserve(3 * static_cast<std::size_t>(count));
    for (std::int64_t i = 1; i <= count; ++i) {
        source.begin_record("triangle", static_cast<std::uint64_t>(i));
        source.skip_bytes("normal", 12);
        for (int c = 0; c < 3; ++c) {
            const double x = source.real("x", Scalar::float32);
            const double y = source.real("y", Scalar::float32);
            const double z = source.real("z", Scalar::float32);
            corners.emplace_back(x, y, z);
        }
        source.skip_bytes("attributes", 2);
    }
    Surface surface;
    weld(surface, corners);
    for (Index i = 0; i <= count; ++i) surface.polygons.push_back(3 * i);
    return surface;
}

Surface from_text(std::string_view bytes, const std::string& file)
{
    MeshSource source(file, bytes);
    if (source.at_end()) source.fail("solid", "nothing", "the file is empty");
    std::vector<Vec3> corners;
    Surface surface;
    SurfacePart names;
    std::uint64_t number = 0;
    while (!source.at_end()) {
        source.begin_record("");
        expect_word(source, "solid");
        names.group = source.rest_of_line();
        for (;;) {
            source.begin_record("triangle", ++number);
            const std::string_view found = source.word("facet");
            const std::string word = lower(found);
            if (word == "endsolid") break;
            if (word != "facet") source.fail("word", std::string(found), "expected facet or endsolid here");
            expect_word(source, "normal");
            for (int i = 0; i < 3; ++i) source.word("normal"); // often wrong, sometimes not even a number
            source.begin_record("triangle", number);
            expect_word(source, "outer");
            expect_word(source, "loop");
            for (int c = 0; c < 3; ++c) {
                source.begin_record("triangle", number);
                expect_word(source, "vertex");
                const double x = source.text_real("x");
                const double y = source.text_real("y");
                const double z = source.text_real("z");
                corners.emplace_back(x, y, z);
            }
            source.begin_record("triangle", number);
            expect_word(source, "endloop");
            source.begin_record("triangle", number);
            expect_word(source, "endfacet");
            require_triangles(source, corners.size());
            const Index unknown[3] = {0, 0, 0}; // the corners are known once all positions are
            add_polygon(surface, names, unknown);
        }
        --number;
        source.rest_of_line(); // the name again
    }
    source.begin_record("");
    require_triangles(source, corners.size());
    weld(surface, corners);
    return surface;
}

} // namespace

Surface stl_from_bytes(std::string_view bytes, const std::string& file)
{
    const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
    const bool text = begin == std::string_view::npos || lower(bytes.substr(begin, 5)) == "solid";
    // Binary files may begin with "solid" too: their size gives them away.
    if ((!bytes.empty() && binary_size(bytes) == bytes.size()) || !text) return from_binary(bytes, file);
    return from_text(bytes, file);
}

Surface read_stl(const std::filesystem::path& path) { return stl_from_bytes(file_bytes(path), path.string()); }

} // namespace rubato
