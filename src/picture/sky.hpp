#pragma once

#include "base/types.hpp"

#include <array>
#include <vector>

/// How much of the sky, and of the lamp, a point sees past the bodies.
///
/// A few dozen directions stand for the sky (spread over the hemisphere above) and for the lamp (a small disc of it).
/// For each of them the bodies are drawn once into a map of heights, by parallel rays from that direction. A point is
/// lit from a direction if nothing in that map stands higher than the point itself. Sums over the directions give soft
/// shadows and the darkening of folds and contacts, without casting a ray.
namespace rubato {

using Vec3f = Eigen::Vector3f;

struct SkyLight {
    float sky = 1; ///< share of the sky that is seen, weighted by how squarely it falls on the surface
    float lamp = 1; ///< share of the lamp that is seen
};

class Sky {
public:
    /// Corners of triangles in local coordinates (about 1 across); `up` and `lamp` are unit vectors. The maps are as
    /// fine as a picture of `picture_side` pixels along its longer side deserves.
    Sky(const std::vector<std::array<Vec3f, 3>>& triangles, const Vec3f& up, const Vec3f& lamp, int picture_side);

    /// At a point with that unit normal, on a body or on the ground.
    SkyLight at(const Vec3f& point, const Vec3f& normal) const;

    const Vec3f& center() const { return center_; } ///< of the sphere around all bodies
    float radius() const { return radius_; }

private:
    struct Direction {
        Vec3f s, t; ///< across the map, in texels per length
        Vec3f d; ///< unit; where the light comes from
        bool lamp;
    };

    void draw_map(std::size_t k, const std::vector<std::array<Vec3f, 3>>& triangles);
    float visible(std::size_t k, const Vec3f& from_center) const;

    std::vector<Direction> directions_;
    std::vector<float> heights_; ///< one map after the other, row by row
    int side_ = 0; ///< of a map
    float per_texel_ = 0; ///< length of a texel
    Vec3f center_ = Vec3f::Zero();
    float radius_ = 0;
};

} // namespace rubato
