#include "picture/body.hpp"

#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "picture/camera.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace rubato {

namespace {

constexpr int outward_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}; ///< face f lies opposite corner f

struct Face {
    Triangle sorted; ///< what two neighbours agree on
    std::int64_t place; ///< 4 * tetrahedron + face
};

/// Angle between two edges, also for edges without length.
double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

void require_length(std::size_t found, std::size_t wanted, const std::string& name, const char* of)
{
    if (found == 0 || found == wanted) return;
    throw InputError({.key = name,
        .value = fmt::format("{} entries", found),
        .message = fmt::format("must be empty or have {}, one per {}", wanted, of)});
}

void require_position(Index corner, std::size_t count, const std::string& list, std::size_t i)
{
    if (corner >= 0 && static_cast<std::size_t>(corner) < count) return;
    throw InputError({.key = fmt::format("{}[{}]", list, i),
        .value = fmt::format("{}", corner),
        .message = fmt::format("there are {} positions", count)});
}

} // namespace

PictureBody picture_body(const TetMesh& mesh, const std::optional<CutPlane>& cut, std::span<const double> tet_values)
{
    require_length(tet_values.size(), mesh.tets.size(), "tet_values", "tetrahedron");
    for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
        for (const Index n : mesh.tets[i]) require_position(n, mesh.nodes.size(), "tets", i);
    }
    std::vector<char> kept(mesh.tets.size(), 1);
    if (cut) {
        for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
            Vec3 from_plane = Vec3::Zero();
            for (const Index n : mesh.tets[i]) from_plane += (mesh.nodes[static_cast<std::size_t>(n)] - cut->point) / 4;
            kept[i] = !(from_plane.dot(cut->normal) > 0);
        }
    }

    std::vector<Face> faces(4 * mesh.tets.size());
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const Tet& tet = mesh.tets[i / 4];
        const int* c = outward_faces[i % 4];
        faces[i] = {{tet[c[0]], tet[c[1]], tet[c[2]]}, static_cast<std::int64_t>(i)};
        std::sort(faces[i].sorted.begin(), faces[i].sorted.end());
    }
    std::sort(faces.begin(), faces.end(),
        [](const Face& a, const Face& b) { return a.sorted != b.sorted ? a.sorted < b.sorted : a.place < b.place; });

    struct Shown {
        std::int64_t place;
        bool inside;
    };
    std::vector<Shown> shown;
    for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
        while (end < faces.size() && faces[end].sorted == faces[begin].sorted) ++end;
        std::size_t count = 0, last = begin;
        for (std::size_t i = begin; i < end; ++i) {
            if (!kept[static_cast<std::size_t>(faces[i].place / 4)]) continue;
            ++count;
            last = i;
        }
        if (count == 1) shown.push_back({faces[last].place, end - begin > 1});
    }
    std::sort(shown.begin(), shown.end(), [](const Shown& a, const Shown& b) { return a.place < b.place; });

    PictureBody body{.positions = mesh.nodes};
    for (const auto& [place, inside] : shown) {
        const std::size_t tet = static_cast<std::size_t>(place / 4);
        const int* c = outward_faces[place % 4];
        body.triangles.push_back({mesh.tets[tet][c[0]], mesh.tets[tet][c[1]], mesh.tets[tet][c[2]]});
        body.inside.push_back(inside ? 1 : 0);
        if (!tet_values.empty()) body.triangle_values.push_back(tet_values[tet]);
    }
    return body;
}

PictureBody picture_body(const TriangleMesh& mesh) { return {.positions = mesh.nodes, .triangles = mesh.triangles}; }

std::vector<std::array<Vec3, 3>> crease_normals(
    const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles, double crease_angle)
{
    const std::size_t n = triangles.size();
    std::vector<Vec3> face(n);
    std::vector<std::array<double, 3>> angle(n);
    std::vector<Index> first(positions.size() + 1, 0);
    for (std::size_t t = 0; t < n; ++t) {
        std::array<Vec3, 3> x;
        for (std::size_t k = 0; k < 3; ++k) x[k] = positions[static_cast<std::size_t>(triangles[t][k])];
        const Vec3 area = (x[1] - x[0]).cross(x[2] - x[0]);
        const double size = area.norm();
        face[t] = size > 0 ? (area / size).eval() : Vec3::Zero();
        for (std::size_t k = 0; k < 3; ++k) {
            angle[t][k] = angle_between(x[(k + 1) % 3] - x[k], x[(k + 2) % 3] - x[k]);
            ++first[static_cast<std::size_t>(triangles[t][k]) + 1];
        }
    }
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<Index> around(3 * n); // 3 * triangle + corner, in rising order for each node
    std::vector<Index> next(first.begin(), first.end() - 1);
    for (std::size_t i = 0; i < 3 * n; ++i) {
        around[static_cast<std::size_t>(next[static_cast<std::size_t>(triangles[i / 3][i % 3])]++)]
            = static_cast<Index>(i);
    }

    const double least = std::cos(crease_angle * std::numbers::pi / 180) - 1e-12;
    std::vector<std::array<Vec3, 3>> normals(n);
    parallel_for(static_cast<Index>(n), [&](Index i) {
        const std::size_t t = static_cast<std::size_t>(i);
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t v = static_cast<std::size_t>(triangles[t][k]);
            Vec3 sum = Vec3::Zero();
            for (Index at = first[v]; at < first[v + 1]; ++at) {
                const std::size_t other = static_cast<std::size_t>(around[static_cast<std::size_t>(at)]);
                const Vec3& m = face[other / 3];
                if (other / 3 == t || (crease_angle > 0 && m.dot(face[t]) >= least))
                    sum += angle[other / 3][other % 3] * m;
            }
            const double size = sum.norm();
            normals[t][k] = size > 1e-12 ? (sum / size).eval() : face[t];
        }
    });
    return normals;
}

void require_drawable(const PictureBody& body, const std::string& name)
{
    require_finite(body.positions, name + ".positions");
    const std::string list = name + ".triangles";
    for (std::size_t t = 0; t < body.triangles.size(); ++t) {
        for (const Index corner : body.triangles[t]) {
            require_position(corner, body.positions.size(), list, t);
        }
    }
    require_length(body.vertex_values.size(), body.positions.size(), name + ".vertex_values", "position");
    require_length(body.triangle_values.size(), body.triangles.size(), name + ".triangle_values", "triangle");
    require_length(body.inside.size(), body.triangles.size(), name + ".inside", "triangle");
}

} // namespace rubato
