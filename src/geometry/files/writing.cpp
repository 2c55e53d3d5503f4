#include "geometry/files/writing.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <cmath>

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
