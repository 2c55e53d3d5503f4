#include "geometry/mesher/surface_distance.hpp"

#include "base/parallel.hpp"
#include "geometry/mesher/octree.hpp"
#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <utility>

namespace rubato {

std::vector<Vec3> surface_points(const SignedField& field, double spacing)
{
    using namespace mesher;
    const ZeroSet surface(field, spacing);
    const Octree tree(surface, spacing, 0, 5e7);
    // corners of the finest leaves, each once
    std::vector<CellPlace> corners;
    for (const Cell& c : tree.cells()) {
        if (c.state != Cell::leaf) continue;
        for (int k = 0; k < 8; ++k) {
            corners.push_back({c.at[0] + (k & 1), c.at[1] + (k >> 1 & 1), c.at[2] + (k >> 2 & 1)});
        }
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    const Index n = static_cast<Index>(corners.size());
    const auto place = [&](const CellPlace& c) -> Vec3 {
        return tree.origin() + spacing * Vec3(c[0], c[1], c[2]);
    };
    std::vector<double> values(corners.size());
    parallel_for(n, [&](Index i) { values[i] = surface.value(place(corners[i])); });

    std::vector<std::pair<Index, Index>> crossed;
    for (Index i = 0; i < n; ++i) {
        for (int a = 0; a < 3; ++a) {
            CellPlace next = corners[i];
            ++next[a];
            const auto j = std::lower_bound(corners.begin(), corners.end(), next);
            if (j == corners.end() || *j != next) continue;
            const Index k = static_cast<Index>(j - corners.begin());
            if ((values[i] < 0) != (values[k] < 0)) crossed.push_back({i, k});
        }
    }
    std::vector<Vec3> points(crossed.size());
    parallel_for(static_cast<Index>(crossed.size()), [&](Index i) {
        const auto& [a, b] = crossed[i];
        points[i] = surface.between(place(corners[a]), values[a], place(corners[b]), values[b]);
    });
    return points;
}

SurfaceDistance surface_distance(
    const TetMesh& mesh, const SignedField& field, const std::vector<Vec3>& points, double far_off)
{
    SurfaceDistance out;
    const TriangleMesh boundary{mesh.nodes, boundary_triangles(mesh.tets)};
    if (boundary.triangles.empty() || points.empty()) return out;
    const TriangleTree tree(boundary);
    std::vector<double> d(points.size());
    parallel_for(
        static_cast<Index>(points.size()), [&](Index i) { d[i] = std::sqrt(tree.closest(points[i]).d2); });
    std::size_t left = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
        left += d[i] > far_off;
        if (d[i] > out.surface_to_mesh) out.surface_to_mesh = d[i], out.farthest_point = points[i];
    }
    out.left_out = static_cast<double>(left) / static_cast<double>(d.size());

    constexpr int per_edge = 4;
    std::vector<double> off(boundary.triangles.size());
    parallel_for(static_cast<Index>(boundary.triangles.size()), [&](Index t) {
        const Triangle& f = boundary.triangles[t];
        for (int i = 0; i <= per_edge; ++i) {
            for (int j = 0; i + j <= per_edge; ++j) {
                const double u = static_cast<double>(i) / per_edge, v = static_cast<double>(j) / per_edge;
                const Vec3 p = (1 - u - v) * mesh.nodes[f[0]] + u * mesh.nodes[f[1]] + v * mesh.nodes[f[2]];
                off[t] = std::max(off[t], std::abs(field.value(p)));
            }
        }
    });
    for (const double o : off) out.mesh_to_surface = std::max(out.mesh_to_surface, o);
    return out;
}

} // namespace rubato
