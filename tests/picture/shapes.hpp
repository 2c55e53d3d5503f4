#pragma once

#include "picture/render.hpp"

#include <Eigen/Geometry>

#include <map>
#include <utility>

namespace rubato {

/// A ball of triangles: an icosahedron, each face cut into four `levels` times, its nodes on the sphere.
inline PictureBody ball(const Vec3& center, double radius, int levels)
{
    const double g = (1 + std::sqrt(5.0)) / 2;
    PictureBody b;
    for (const double s : {-1.0, 1.0}) {
        for (const double t : {-g, g}) {
            b.positions.emplace_back(0, s, t);
            b.positions.emplace_back(s, t, 0);
            b.positions.emplace_back(t, 0, s);
        }
    }
    const auto near = [&](int i, int j) { return std::abs((b.positions[i] - b.positions[j]).norm() - 2) < 1e-9; };
    for (int i = 0; i < 12; ++i) {
        for (int j = i + 1; j < 12; ++j) {
            for (int k = j + 1; k < 12; ++k) {
                if (!near(i, j) || !near(j, k) || !near(i, k)) continue;
                const bool outward
                    = b.positions[i].dot((b.positions[j] - b.positions[i]).cross(b.positions[k] - b.positions[i])) > 0;
                b.triangles.push_back(outward ? Triangle{i, j, k} : Triangle{i, k, j});
            }
        }
    }
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int i, int j) {
            const auto [at, fresh] = middles.try_emplace(std::minmax(i, j), static_cast<int>(b.positions.size()));
            if (fresh) b.positions.push_back((b.positions[i] + b.positions[j]) / 2);
            return at->second;
        };
        std::vector<Triangle> finer;
        for (const auto& [i, j, k] : b.triangles) {
            const int ij = middle(i, j), jk = middle(j, k), ki = middle(k, i);
            finer.insert(finer.end(), {{i, ij, ki}, {ij, j, jk}, {ki, jk, k}, {ij, jk, ki}});
        }
        b.triangles = finer;
    }
    for (Vec3& p : b.positions) p = center + radius * p.normalized();
    return b;
}

/// An upright square that faces +z.
inline PictureBody square(const Vec3& center, double half, Rgb color)
{
    return {.positions = {center + Vec3(-half, -half, 0), center + Vec3(half, -half, 0), center + Vec3(half, half, 0),
                center + Vec3(-half, half, 0)},
        .triangles = {{0, 1, 2}, {0, 2, 3}},
        .color = color};
}

/// Brightness of a pixel, 0 to 255.
inline double brightness(Rgb c) { return 0.3 * c.r + 0.59 * c.g + 0.11 * c.b; }

} // namespace rubato
