#include "geometry/files/writing.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace rubato {

static_assert(sizeof(Vec3) == 3 * sizeof(double), "nodes are read as plain numbers");

std::span<const double> coordinates(const std::vector<Vec3>& nodes)
{
    if (nodes.empty()) return {};
    return {nodes.front().data(), 3 * nodes.size()};
}

std::span<const double> coordinates(const Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

std::span<const Index> corners_of(const std::vector<Tet>& tets)
{
    if (tets.empty()) return {};
    return {tets.front().data(), 4 * tets.size()};
}

std::span<const Index> corners_of(const std::vector<Triangle>& triangles)
{
    if (triangles.empty()) return {};
    return {triangles.front().data(), 3 * triangles.size()};
}

void require_finite(
    const std::filesystem::path& path, const std::string& what, std::span<const double> values, std::size_t per_node)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            throw WriteError(path.string(), fmt::format("{} of node {} is not finite", what, i / per_node));
        }
    }
}

void require_corners(const std::filesystem::path& path, std::span<const Index> corners, std::size_t node_count)
{
    for (const Index i : corners) {
        if (i < 0 || static_cast<std::size_t>(i) >= node_count) {
            throw WriteError(path.string(), fmt::format("node number {} is not one of {} nodes", i, node_count));
        }
    }
}

void require_surface(const std::filesystem::path& path, const Surface& surface, std::span<const double> positions)
{
    const auto require = [&](bool fits, const char* reason) {
        if (!fits) throw WriteError(path.string(), reason);
    };
    require(positions.size() == 3 * surface.vertices.size(), "there must be three coordinates per vertex");
    require_finite(path, "position", positions, 3);
    if (!surface.texture.empty()) {
        require_finite(path, "texture coordinate", {surface.texture.front().data(), 2 * surface.texture.size()}, 2);
    }
    require_corners(path, surface.corners, surface.vertices.size());
    const std::vector<Index>& begins = surface.polygons;
    require(begins.empty() ? surface.corners.empty()
                           : begins.front() == 0 && static_cast<std::size_t>(begins.back()) == surface.corners.size(),
        "the polygons of the surface do not fit its corners");
    for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
        require(begins[p + 1] - begins[p] >= 3, "a polygon must have at least three corners");
    }
    require(surface.corner_texture.empty() || surface.corner_texture.size() == surface.corners.size(),
        "there must be one texture number per corner");
    for (const Index i : surface.corner_texture) {
        require(i >= -1 && i < static_cast<std::int64_t>(surface.texture.size()), "a texture number does not exist");
    }
    Index last = 0;
    for (const SurfacePart& part : surface.parts) {
        require(part.first_polygon >= last && part.first_polygon <= static_cast<std::int64_t>(surface.polygon_count()),
            "the parts of the surface do not fit its polygons");
        last = part.first_polygon;
    }
}

void require_name(const std::filesystem::path& path, const std::string& name, std::string_view reserved)
{
    constexpr std::string_view blanks = " \t";
    const auto refused = [&](char c) {
        return (c >= 0 && c < ' ' && c != '\t') || c == 127 || reserved.find(c) != std::string_view::npos;
    };
    const bool blank_end = !name.empty()
        && (blanks.find(name.front()) != std::string_view::npos || blanks.find(name.back()) != std::string_view::npos);
    if (blank_end || std::any_of(name.begin(), name.end(), refused)) {
        throw WriteError(path.string(),
            fmt::format("the name '{}' holds a character that this format cannot keep in a name", printable(name)));
    }
}

void require_names(const std::filesystem::path& path, const Surface& surface, std::string_view reserved)
{
    for (const SurfacePart& part : surface.parts) {
        for (const std::string* name : {&part.object, &part.group, &part.material}) {
            require_name(path, *name, reserved);
        }
    }
    for (const std::string& name : surface.material_files) require_name(path, name, reserved);
}

std::string xml_text(const std::string& text)
{
    std::string s;
    for (const char c : text) {
        if (c == '&') {
            s += "&amp;";
        } else if (c == '<') {
            s += "&lt;";
        } else if (c == '>') {
            s += "&gt;";
        } else if (c == '"') {
            s += "&quot;";
        } else {
            s += c;
        }
    }
    return s;
}

} // namespace rubato
