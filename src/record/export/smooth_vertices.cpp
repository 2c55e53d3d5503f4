#include "record/export/smooth_vertices.hpp"

#include "base/joined_sets.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace rubato {

namespace {

const double sharp_cosine = std::cos(40 * M_PI / 180); ///< as in pictures: a sharper meeting is an edge

/// One side of a triangle; the same two points make the same edge.
struct Side {
    Index low, high; ///< points
    Index triangle;
    int from; ///< which corner of the triangle it begins at
};

std::vector<Side> sides_of(const std::vector<Triangle>& triangles)
{
    std::vector<Side> sides;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (int k = 0; k < 3; ++k) {
            const Index a = triangles[t][static_cast<std::size_t>(k)];
            const Index b = triangles[t][static_cast<std::size_t>((k + 1) % 3)];
            sides.push_back({std::min(a, b), std::max(a, b), static_cast<Index>(t), k});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.triangle, a.from) < std::tie(b.low, b.high, b.triangle, b.from);
    });
    return sides;
}

/// The corner of `triangle` at this point, counted over all triangles.
Index corner_at(const std::vector<Triangle>& triangles, Index triangle, Index point)
{
    const Triangle& t = triangles[static_cast<std::size_t>(triangle)];
    return 3 * triangle + static_cast<Index>(std::find(t.begin(), t.end(), point) - t.begin());
}

/// Corners that share a normal: neighbours across an edge that is not sharp at rest.
JoinedSets smooth_corners(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest)
{
    std::vector<Vec3> normals;
    for (const Triangle& t : triangles) {
        const auto at = [&](std::size_t k) { return rest[static_cast<std::size_t>(t[k])]; };
        const Vec3 n = (at(1) - at(0)).cross(at(2) - at(0));
        normals.push_back(n.norm() > 0 ? n.normalized() : Vec3::Zero());
    }
    JoinedSets corners(3 * triangles.size());
    const std::vector<Side> sides = sides_of(triangles);
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
        const Side &a = sides[i], &b = sides[i + 1];
        if (a.low != b.low || a.high != b.high) continue;
        const Vec3 &m = normals[static_cast<std::size_t>(a.triangle)],
                   &n = normals[static_cast<std::size_t>(b.triangle)];
        const bool flat = m.isZero() || n.isZero(); // without area: goes with any neighbour
        if (!flat && m.dot(n) < sharp_cosine) continue;
        for (const Index point : {a.low, a.high})
            corners.join(corner_at(triangles, a.triangle, point), corner_at(triangles, b.triangle, point));
    }
    return corners;
}

/// The texture coordinate of a corner of a triangle: that of the polygon's corner at the same point.
Index texture_number(const BodyMesh& mesh, std::size_t triangle, Index point)
{
    const Surface& surface = mesh.surface;
    if (surface.corner_texture.empty()) return -1;
    const auto polygon = static_cast<std::size_t>(mesh.polygon_of[triangle]);
    const auto corners = surface.polygon(polygon);
    const auto k = std::find(corners.begin(), corners.end(), point) - corners.begin();
    return surface.corner_texture[static_cast<std::size_t>(surface.polygons[polygon] + k)];
}

} // namespace

SmoothVertices::SmoothVertices(const BodyMesh& mesh, const ObjectNames& objects)
    : corner_fan_(3 * mesh.triangles.size())
    , triangles_(mesh.triangles.size())
    , point_triangles_(mesh.triangles)
{
    JoinedSets corners = smooth_corners(mesh.triangles, mesh.surface.vertices);
    std::vector<std::size_t> order(mesh.triangles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return objects.of_triangle[a] < objects.of_triangle[b]; });
    std::map<Index, Index> fans; // root -> number
    std::map<std::pair<Index, Index>, Index> vertices; // fan and texture coordinate -> number, of one object
    for (const std::size_t t : order) {
        while (static_cast<Index>(first_of_object_.size()) <= objects.of_triangle[t]) {
            first_of_object_.push_back(static_cast<Index>(point_.size()));
            vertices.clear();
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const Index point = mesh.triangles[t][k];
            const Index root = corners.root(static_cast<Index>(3 * t + k));
            const Index fan = fans.try_emplace(root, static_cast<Index>(fans.size())).first->second;
            const Index uv = texture_number(mesh, t, point);
            const auto [place, is_new] = vertices.try_emplace({fan, uv}, static_cast<Index>(point_.size()));
            if (is_new) add_vertex(mesh, point, fan, uv);
            corner_fan_[3 * t + k] = fan;
            triangles_[t][k] = place->second;
        }
    }
    first_of_object_.resize(objects.names.size() + 1, static_cast<Index>(point_.size()));
    sums_.resize(fans.size());
}

void SmoothVertices::add_vertex(const BodyMesh& mesh, Index point, Index fan, Index uv)
{
    point_.push_back(point);
    fan_.push_back(fan);
    if (mesh.surface.corner_texture.empty()) return;
    const Eigen::Vector2d st = uv < 0 ? Eigen::Vector2d::Zero() : mesh.surface.texture[static_cast<std::size_t>(uv)];
    texture_.push_back(static_cast<float>(st.x()));
    texture_.push_back(static_cast<float>(st.y()));
}

void SmoothVertices::normals(std::span<const float> x, std::vector<float>& result)
{
    std::fill(sums_.begin(), sums_.end(), Eigen::Vector3d::Zero());
    const auto at = [&](Index p) {
        return Eigen::Map<const Eigen::Vector3f>(x.data() + 3 * static_cast<std::size_t>(p)).cast<double>();
    };
    for (std::size_t t = 0; t < point_triangles_.size(); ++t) {
        const Triangle& corners = point_triangles_[t];
        const Vec3 origin = at(corners[0]);
        const Vec3 a = at(corners[1]) - origin, b = at(corners[2]) - origin;
        const Vec3 area = a.cross(b);
        for (std::size_t k = 0; k < 3; ++k) sums_[static_cast<std::size_t>(corner_fan_[3 * t + k])] += area;
    }
    result.resize(3 * point_.size());
    for (std::size_t i = 0; i < point_.size(); ++i) {
        const Vec3& sum = sums_[static_cast<std::size_t>(fan_[i])];
        const double length = sum.norm();
        const Vec3 n = length > 1e-300 ? Vec3(sum / length) : Vec3::UnitZ(); // a fan without area has no normal
        for (int c = 0; c < 3; ++c) result[3 * i + static_cast<std::size_t>(c)] = static_cast<float>(n[c]);
    }
}

} // namespace rubato
