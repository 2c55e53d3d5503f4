/// Ear clipping (G. H. Meisters, Polygons have ears, 1975): an ear is a corner whose triangle with its two neighbours
/// lies within the polygon. Every simple polygon of more than three corners has two; cut one off, and go on with the
/// rest. Quadratic in the number of corners, cubic at worst.

#include "geometry/polygon.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <optional>

namespace rubato {

namespace {

using Vec2 = Eigen::Vector2d;

/// Twice the signed area of a triangle.
double twice_area(const Vec2& a, const Vec2& b, const Vec2& c)
{
    const Vec2 u = b - a;
    const Vec2 v = c - a;
    return u.x() * v.y() - u.y() * v.x();
}

/// Whether a triangle is counter-clockwise beyond doubt.
bool turns_left(const Vec2& a, const Vec2& b, const Vec2& c)
{
    const double longest2 = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return twice_area(a, b, c) > 1e-12 * longest2;
}

/// Corners in the plane across Newell's normal, in which the polygon is counter-clockwise; nothing for one of no area.
std::optional<std::vector<Vec2>> flattened(const std::vector<Vec3>& vertices, std::span<const Index> polygon)
{
    const Vec3& origin = vertices[polygon[0]];
    Vec3 normal = Vec3::Zero();
    double longest2 = 0;
    for (std::size_t i = 2; i < polygon.size(); ++i) {
        const Vec3 u = vertices[polygon[i - 1]] - origin;
        const Vec3 v = vertices[polygon[i]] - origin;
        normal += u.cross(v);
        longest2 = std::max({longest2, u.squaredNorm(), v.squaredNorm()});
    }
    const double length = normal.norm();
    if (!(length > 1e-12 * longest2)) return std::nullopt;
    normal /= length;
    Vec3::Index least = 0;
    normal.cwiseAbs().minCoeff(&least);
    const Vec3 right = Vec3::Unit(least).cross(normal).normalized();
    const Vec3 up = normal.cross(right);
    std::vector<Vec2> flat;
    for (const Index v : polygon) {
        const Vec3 x = vertices[v] - origin;
        flat.emplace_back(x.dot(right), x.dot(up));
    }
    return flat;
}

bool is_fan(const std::vector<Vec2>& x)
{
    for (std::size_t i = 2; i < x.size(); ++i) {
        if (!turns_left(x[0], x[i - 1], x[i])) return false;
    }
    return true;
}

/// Triangles of corner numbers; nothing where no ear is left, as in polygons that cross themselves.
std::optional<std::vector<Triangle>> ears(const std::vector<Vec2>& x)
{
    std::vector<Index> rest(x.size());
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = static_cast<Index>(i);
    auto is_ear = [&](Index a, Index b, Index c) {
        if (!turns_left(x[a], x[b], x[c])) return false;
        return std::none_of(rest.begin(), rest.end(), [&](Index i) {
            // A corner may come twice, where a cut joins a hole to the outline.
            if (x[i] == x[a] || x[i] == x[b] || x[i] == x[c]) return false;
            return !turns_left(x[b], x[a], x[i]) && !turns_left(x[c], x[b], x[i]) && !turns_left(x[a], x[c], x[i]);
        });
    };
    std::vector<Triangle> triangles;
    std::size_t at = 0; // moves on after each ear: else long slivers would gather at one corner
    while (rest.size() > 2) {
        const std::size_t n = rest.size();
        std::size_t tried = 0;
        for (; tried < n; ++tried, ++at) {
            const Index a = rest[at % n], b = rest[(at + 1) % n], c = rest[(at + 2) % n];
            if (!is_ear(a, b, c)) continue;
            triangles.push_back({a, b, c});
            break;
        }
        if (tried == n) return std::nullopt;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>((at + 1) % n));
        at = (at + 1) % n;
    }
    return triangles;
}

} // namespace

void append_triangles(
    const std::vector<Vec3>& vertices, std::span<const Index> polygon, std::vector<Triangle>& triangles)
{
    if (polygon.size() > 3) {
        const auto flat = flattened(vertices, polygon);
        if (flat && !is_fan(*flat)) {
            if (const auto cut = ears(*flat)) {
                for (const auto& [a, b, c] : *cut) triangles.push_back({polygon[a], polygon[b], polygon[c]});
                return;
            }
        }
    }
    for (std::size_t i = 2; i < polygon.size(); ++i) triangles.push_back({polygon[0], polygon[i - 1], polygon[i]});
}

} // namespace rubato
