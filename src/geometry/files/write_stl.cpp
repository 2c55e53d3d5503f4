#include "base/errors.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/number_text.hpp"
#include "geometry/files/part_names.hpp"
#include "geometry/files/stl.hpp"
#include "geometry/files/writing.hpp"
#include "geometry/polygon.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace rubato {

namespace {

/// Unit normal of a triangle; zero for one without area.
Vec3 normal(const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 n = (b - a).cross(c - a);
    const double length = n.norm();
    return length > 0 && std::isfinite(length) ? Vec3(n / length) : Vec3(Vec3::Zero());
}

/// Calls `use` with the corners of each triangle of a polygon.
template <class Use>
void for_triangles(const Surface& surface, std::size_t polygon, Use use)
{
    std::vector<Triangle> triangles;
    append_triangles(surface.vertices, surface.polygon(polygon), triangles);
    for (const auto& [a, b, c] : triangles) use(surface.vertices[a], surface.vertices[b], surface.vertices[c]);
}

std::string text(const Surface& surface)
{
    NumberText out(200 * surface.corners.size());
    const std::vector<Index> part = part_of_polygons(surface);
    const auto name = [&](std::size_t polygon) {
        return part[polygon] < 0 ? std::string() : one_name(surface.parts[part[polygon]]);
    };
    const auto line = [&](std::string_view keyword, const std::string& rest) {
        out.text(keyword);
        if (!rest.empty()) out.text(" "), out.text(rest);
        out.text("\n");
    };
    const auto numbers = [&](std::string_view keyword, const Vec3& x) {
        out.text(keyword);
        out.reals({x.data(), 3});
        out.text("\n");
    };
    std::string current;
    for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
        if (p == 0 || name(p) != current) {
            if (p > 0) line("endsolid", current);
            current = name(p);
            line("solid", current);
        }
        for_triangles(surface, p, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
            numbers("facet normal ", normal(a, b, c));
            out.text("outer loop\n");
            for (const Vec3* x : {&a, &b, &c}) numbers("vertex ", *x);
            out.text("endloop\nendfacet\n");
        });
    }
    if (surface.polygon_count() > 0) line("endsolid", current);
    return out.take();
}

template <class T>
void append_little_endian(std::string& bytes, T value)
{
    char raw[sizeof(T)];
    std::copy_n(reinterpret_cast<const char*>(&value), sizeof(T), raw);
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
}

std::string binary(const std::filesystem::path& path, const Surface& surface)
{
    for (const Vec3& x : surface.vertices) {
        if (x.cwiseAbs().maxCoeff() > std::numeric_limits<float>::max()) {
            throw WriteError(path.string(), "a coordinate is too large for the single precision of binary STL");
        }
    }
    std::string bytes = "binary STL"; // must not begin with "solid", the mark of text
    bytes.resize(80, ' ');
    append_little_endian(bytes, static_cast<std::uint32_t>(surface.corners.size() - 2 * surface.polygon_count()));
    for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
        for_triangles(surface, p, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
            const Vec3 n = normal(a, b, c);
            for (const Vec3* x : {&n, &a, &b, &c}) {
                for (const double value : *x) append_little_endian(bytes, static_cast<float>(value));
            }
            append_little_endian(bytes, std::uint16_t(0));
        });
    }
    return bytes;
}

} // namespace

std::string stl_bytes(const std::filesystem::path& path, const Surface& surface, StlEncoding encoding)
{
    require_surface(path, surface, coordinates(surface.vertices));
    require_names(path, surface, "");
    return encoding == StlEncoding::text ? text(surface) : binary(path, surface);
}

void write_stl(const std::filesystem::path& path, const Surface& surface, StlEncoding encoding)
{
    write_atomically(path, stl_bytes(path, surface, encoding));
}

} // namespace rubato
