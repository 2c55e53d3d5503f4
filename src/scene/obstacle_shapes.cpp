#include "scene/obstacle_shapes.hpp"

#include "geometry/same_place.hpp"

#include <cmath>
#include <numbers>

namespace rubato {

namespace {

constexpr int shown_segments = 32; ///< around a sphere or capsule
constexpr int shown_rings = 8; ///< from its equator to its pole

} // namespace

TriangleMesh revolved(const std::vector<ProfilePoint>& profile, const Vec3& center, const Vec3& axis, int segments)
{
    const Vec3 u = axis.unitOrthogonal(), v = axis.cross(u);
    const auto rings = static_cast<Index>(profile.size()) - 2;
    const Index bottom = 0, top = 1 + rings * segments;
    TriangleMesh mesh;
    mesh.nodes.push_back(center + profile.front().height * axis);
    for (Index k = 1; k <= rings; ++k) {
        const auto& [radius, height] = profile[static_cast<std::size_t>(k)];
        for (int j = 0; j < segments; ++j) {
            const double angle = 2 * std::numbers::pi * j / segments;
            mesh.nodes.push_back(center + height * axis + radius * (std::cos(angle) * u + std::sin(angle) * v));
        }
    }
    mesh.nodes.push_back(center + profile.back().height * axis);

    const auto at = [&](Index ring, int j) { return 1 + ring * segments + j % segments; };
    for (int j = 0; j < segments; ++j) {
        mesh.triangles.push_back({bottom, at(0, j + 1), at(0, j)});
        for (Index k = 0; k + 1 < rings; ++k) {
            mesh.triangles.push_back({at(k, j), at(k, j + 1), at(k + 1, j + 1)});
            mesh.triangles.push_back({at(k, j), at(k + 1, j + 1), at(k + 1, j)});
        }
        mesh.triangles.push_back({top, at(rings - 1, j), at(rings - 1, j + 1)});
    }
    return mesh;
}

TriangleMesh capsule_surface(const Vec3& a, const Vec3& b, double radius)
{
    const double half = (b - a).norm() / 2;
    std::vector<ProfilePoint> profile;
    for (int k = -shown_rings; k <= shown_rings; ++k) {
        const double angle = std::numbers::pi / 2 * k / shown_rings;
        const double around = std::abs(k) == shown_rings ? 0 : radius * std::cos(angle);
        if (k == 0 && half > 0) profile.push_back({around, -half}); // a cylinder between the two halves of a sphere
        profile.push_back({around, radius * std::sin(angle) + (k < 0 ? -half : half)});
    }
    return revolved(profile, (a + b) / 2, half > 0 ? Vec3((b - a).normalized()) : Vec3::UnitY(), shown_segments);
}

TriangleMesh cylinder_surface(const Vec3& center, const Vec3& axis, double radius, double height, int segments)
{
    const double half = height / 2;
    return revolved({{0, -half}, {radius, -half}, {radius, half}, {0, half}}, center, axis, segments);
}

TriangleMesh box_surface(const Vec3& center, const Vec3& size, const Mat3& turn)
{
    TriangleMesh mesh;
    for (int corner = 0; corner < 8; ++corner) { // bits: high along x, y, z
        const Vec3 sides(
            (corner & 1) != 0 ? 0.5 : -0.5, (corner & 2) != 0 ? 0.5 : -0.5, (corner & 4) != 0 ? 0.5 : -0.5);
        mesh.nodes.push_back(center + turn * sides.cwiseProduct(size));
    }
    mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 2, 3},
        {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return mesh;
}

TriangleMesh welded(const TriangleMesh& mesh)
{
    const std::vector<Index> first = first_at_same_place(mesh.nodes);
    std::vector<Index> number(mesh.nodes.size(), -1);
    TriangleMesh out;
    for (Triangle t : mesh.triangles) {
        for (Index& i : t) i = first[static_cast<std::size_t>(i)];
        const auto at = [&](int k) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(t[k])]; };
        if (!((at(1) - at(0)).cross(at(2) - at(0)).squaredNorm() > 0)) continue;
        for (Index& i : t) {
            Index& n = number[static_cast<std::size_t>(i)];
            if (n < 0) {
                n = static_cast<Index>(out.nodes.size());
                out.nodes.push_back(mesh.nodes[static_cast<std::size_t>(i)]);
            }
            i = n;
        }
        out.triangles.push_back(t);
    }
    return out;
}

} // namespace rubato
