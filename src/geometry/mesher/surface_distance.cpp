#include "geometry/mesher/surface_distance.hpp"

#include "base/parallel.hpp"
#include "geometry/fields/surface_field.hpp"
#include "geometry/mesher/zero_set.hpp"
#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace rubato {

namespace {

using GridPoint = std::array<std::int32_t, 3>;

/// Cells of a grid that the surface may pass through: cells are halved until they are clear of it.
std::vector<GridPoint> cells_at_surface(const mesher::ZeroSet& surface, const Vec3& origin, double spacing, int levels)
{
    std::vector<GridPoint> cells = {{0, 0, 0}};
    for (int level = levels;; --level) {
        const double length = spacing * (1 << level);
        std::vector<char> near(cells.size());
        parallel_for(static_cast<Index>(cells.size()), [&](Index i) {
            const Vec3 center = origin + length * (Vec3(cells[i][0], cells[i][1], cells[i][2]) + Vec3::Constant(0.5));
            near[i] = std::abs(surface.value(center)) <= surface.field().steepness() * length * 0.87;
        });
        std::vector<GridPoint> next;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (!near[i]) continue;
            if (level == 0) {
                next.push_back(cells[i]);
                continue;
            }
            for (int k = 0; k < 8; ++k) {
                next.push_back({2 * cells[i][0] + (k & 1), 2 * cells[i][1] + (k >> 1 & 1), 2 * cells[i][2] + (k >> 2)});
            }
        }
        cells = std::move(next);
        if (level == 0) return cells;
    }
}

/// Triangles of the surface cut into pieces about `spacing` long; of small ones only as many as the spacing asks for.
std::vector<std::pair<Vec3, Vec3>> pieces_of(const TriangleMesh& mesh, double spacing)
{
    std::vector<std::pair<Vec3, Vec3>> pieces; // a point and the normal
    std::vector<std::array<Vec3, 3>> stack;
    double small = 0; // of squared lengths that no point stands for yet
    for (const Triangle& t : mesh.triangles) {
        stack.push_back({mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]]});
        const Vec3 normal = (stack[0][1] - stack[0][0]).cross(stack[0][2] - stack[0][0]).normalized();
        while (!stack.empty()) {
            const std::array<Vec3, 3> p = stack.back();
            stack.pop_back();
            int longest = 0;
            double length = 0;
            for (int k = 0; k < 3; ++k) {
                const double l = (p[(k + 1) % 3] - p[k]).norm();
                if (l > length) length = l, longest = k;
            }
            if (length > 1.5 * spacing) {
                const Vec3 &a = p[longest], &b = p[(longest + 1) % 3], &c = p[(longest + 2) % 3];
                const Vec3 m = (a + b) / 2;
                stack.push_back({a, m, c});
                stack.push_back({m, b, c});
                continue;
            }
            small += length * length;
            if (small < 0.4 * spacing * spacing) continue;
            small = 0;
            pieces.push_back({(p[0] + p[1] + p[2]) / 3, normal});
        }
    }
    return pieces;
}

/// Points of those triangles that have the inside on one side only: parts of any thinness are seen.
void add_points_of_triangles(const SurfaceField& field, double spacing, std::vector<Vec3>& points)
{
    const auto pieces = pieces_of(field.mesh(), spacing);
    const double off = 1e-7 * field.bounds().diagonal();
    std::vector<char> outer(pieces.size());
    parallel_for(static_cast<Index>(pieces.size()), [&](Index i) {
        const auto& [p, n] = pieces[i];
        outer[i] = (field.winding(p + off * n) > 0.5) != (field.winding(p - off * n) > 0.5);
    });
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (outer[i]) points.push_back(pieces[i].first);
    }
}

/// The place of the surface next to p, down the slope of the field; nothing where the sign does not change there.
std::optional<Vec3> foot(const mesher::ZeroSet& surface, const Vec3& p, double spacing)
{
    Vec3 at = p, n = Vec3::Zero();
    const double near = 0.01 * spacing;
    for (int i = 0; i < 4; ++i) {
        const double f = surface.value(at);
        if (i > 0 && std::abs(f) < near) break;
        n = surface.normal(at);
        at -= f * n;
    }
    const double before = surface.value(at - 2 * near * n), after = surface.value(at + 2 * near * n);
    if ((before < 0) == (after < 0) || (at - p).norm() > 2 * spacing) return std::nullopt;
    return at;
}

/// Whether cells of this size may find both sides of the surface at p: neither wall nor gap is far thinner than they.
bool has_room_around(const SignedField& field, const Vec3& p, double cell)
{
    double low = INFINITY, high = -INFINITY;
    for (const double part : {0.15, 0.5}) {
        for (int k = 0; k < 6; ++k) {
            const double f = field.value(p + (k % 2 ? part : -part) * cell * Vec3::Unit(k / 2));
            low = std::min(low, f), high = std::max(high, f);
        }
        if (low < -0.05 * cell && high > 0.1 * cell) return true;
    }
    return false;
}

/// Calls visit(point) for the 15 points of a triangle whose weights are quarters.
template <class Visit>
void for_samples(const std::vector<Vec3>& x, const Triangle& t, const Visit& visit)
{
    constexpr int per_edge = 4;
    for (int i = 0; i <= per_edge; ++i) {
        for (int j = 0; i + j <= per_edge; ++j) {
            const double u = static_cast<double>(i) / per_edge, v = static_cast<double>(j) / per_edge;
            visit((1 - u - v) * x[t[0]] + u * x[t[1]] + v * x[t[2]]);
        }
    }
}

} // namespace

std::vector<Vec3> surface_points(const SignedField& field, double spacing)
{
    const mesher::ZeroSet surface(field, 100 * spacing); // points to a hundredth of the spacing
    const Bounds box = field.bounds();
    int levels = 0;
    while (spacing * (1 << levels) < box.size().maxCoeff() + 2 * spacing && levels < 20) ++levels;
    const Vec3 origin = box.center() - Vec3::Constant(0.49 * spacing * (1 << levels));

    std::vector<GridPoint> corners;
    for (const GridPoint& c : cells_at_surface(surface, origin, spacing, levels)) {
        for (int k = 0; k < 8; ++k) corners.push_back({c[0] + (k & 1), c[1] + (k >> 1 & 1), c[2] + (k >> 2)});
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    const Index n = static_cast<Index>(corners.size());
    const auto place = [&](const GridPoint& c) -> Vec3 { return origin + spacing * Vec3(c[0], c[1], c[2]); };
    std::vector<double> values(corners.size());
    parallel_for(n, [&](Index i) { values[i] = surface.value(place(corners[i])); });

    std::vector<std::pair<Index, Index>> crossed;
    for (Index i = 0; i < n; ++i) {
        for (int a = 0; a < 3; ++a) {
            GridPoint next = corners[i];
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
    if (const auto* triangles = dynamic_cast<const SurfaceField*>(&field)) {
        add_points_of_triangles(*triangles, spacing, points);
        return points;
    }
    // What is thinner than the grid lies between corners of one sign that are near the surface.
    std::vector<char> beside(corners.size(), 0);
    for (const auto& [a, b] : crossed) beside[a] = beside[b] = 1;
    std::vector<std::optional<Vec3>> feet(corners.size());
    parallel_for(n, [&](Index i) {
        if (!beside[i] && std::abs(values[i]) < spacing) feet[i] = foot(surface, place(corners[i]), spacing);
    });
    for (const auto& p : feet) {
        if (p) points.push_back(*p);
    }
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
    parallel_for(static_cast<Index>(points.size()), [&](Index i) { d[i] = std::sqrt(tree.closest(points[i]).d2); });
    std::size_t left = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
        left += d[i] > far_off;
        if (d[i] > out.surface_to_mesh) out.surface_to_mesh = d[i], out.farthest_point = points[i];
    }
    out.left_out = static_cast<double>(left) / static_cast<double>(d.size());

    std::vector<double> off(boundary.triangles.size());
    parallel_for(static_cast<Index>(off.size()), [&](Index t) {
        for_samples(mesh.nodes, boundary.triangles[t],
            [&](const Vec3& p) { off[t] = std::max(off[t], std::abs(field.value(p))); });
    });
    for (const double o : off) out.mesh_to_surface = std::max(out.mesh_to_surface, o);
    return out;
}

double part_far_off(const TetMesh& mesh, const std::vector<Vec3>& points, double far_off)
{
    const TriangleMesh boundary{mesh.nodes, boundary_triangles(mesh.tets)};
    if (points.empty()) return 0;
    if (boundary.triangles.empty()) return 1;
    const TriangleTree tree(boundary);
    std::vector<char> far(points.size());
    parallel_for(static_cast<Index>(points.size()), [&](Index i) {
        const auto near = tree.closest(points[i]);
        if (near.d2 < far_off * far_off) return;
        const Triangle& t = boundary.triangles[near.triangle]; // inside the mesh: a bridged gap, nothing is missing
        const Vec3 a = mesh.nodes[t[0]], b = mesh.nodes[t[1]], c = mesh.nodes[t[2]];
        far[i] = (b - a).cross(c - a).dot(points[i] - near.point) > 0;
    });
    return static_cast<double>(std::count(far.begin(), far.end(), 1)) / static_cast<double>(points.size());
}

std::vector<Vec3> misfits(
    const TetMesh& mesh, const SignedField& field, const std::vector<Vec3>& points, double tolerance, double finest)
{
    const TriangleMesh boundary{mesh.nodes, boundary_triangles(mesh.tets)};
    if (boundary.triangles.empty()) return points;
    const TriangleTree tree(boundary);
    std::vector<char> far(points.size()), off(boundary.triangles.size());
    parallel_for(static_cast<Index>(points.size()), [&](Index i) {
        far[i] = tree.closest(points[i], tolerance).triangle < 0 && has_room_around(field, points[i], finest);
    });
    const auto middle = [&](Index t) -> Vec3 {
        const Triangle& f = boundary.triangles[t];
        return (mesh.nodes[f[0]] + mesh.nodes[f[1]] + mesh.nodes[f[2]]) / 3;
    };
    parallel_for(static_cast<Index>(off.size()), [&](Index t) {
        const Triangle& f = boundary.triangles[t];
        const double here = std::abs(field.value(middle(t)));
        off[t] = here > tolerance;
        if (here < tolerance / 4) return; // its edges will hardly be further off
        for (int k = 0; k < 3 && !off[t]; ++k) {
            off[t] = std::abs(field.value((mesh.nodes[f[k]] + mesh.nodes[f[(k + 1) % 3]]) / 2)) > tolerance;
        }
    });
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < far.size(); ++i) {
        if (far[i]) out.push_back(points[i]);
    }
    for (std::size_t t = 0; t < off.size(); ++t) {
        if (off[t]) out.push_back(middle(static_cast<Index>(t)));
    }
    return out;
}

} // namespace rubato
