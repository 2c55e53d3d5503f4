#pragma once

#include "base/types.hpp"
#include "picture/camera.hpp"

#include <array>
#include <vector>

/// Which triangle is seen at which sample: a z-buffer over small tiles of the picture.
///
///     picture (pixels) -> tiles of tile_side x tile_side pixels -> pixels -> samples x samples samples
///
/// Triangles are sorted into the tiles that their bounding boxes touch, in rising order. A tile is then filled by one
/// thread; where two triangles are equally near the first one wins. So the result does not depend on the threads, and a
/// tile's buffers stay in the cache.
namespace rubato {

inline constexpr int tile_side = 32; ///< [px]

/// A triangle in the picture. `near` is linear in x and y and grows toward the eye: 1/depth or, for parallel rays,
/// -depth.
struct FlatTriangle {
    std::array<float, 3> x, y; ///< [px] from the top left corner
    std::array<float, 3> near;
    bool visible = false; ///< in front of the eye and neither without area nor outside the picture
};

/// Size of the picture. The camera's frame fills its upper left part; what is drawn reaches beyond, to the edges.
struct Canvas {
    int width = 0, height = 0; ///< [px]
    int frame_width = 0, frame_height = 0; ///< [px]
    int samples = 3; ///< along a side of a pixel

    int tile_columns() const { return (width + tile_side - 1) / tile_side; }
    int tile_rows() const { return (height + tile_side - 1) / tile_side; }
};

FlatTriangle flat_triangle(const Camera& camera, const Canvas& canvas, const std::array<Eigen::Vector3f, 3>& corners);

/// Shares of the three corners at the sample (x, y) [px], corrected for perspective, kept inside the triangle.
Eigen::Vector3f shares_at(const FlatTriangle& t, float x, float y, bool perspective);

/// Distance [px] of the sample (x, y) from the nearest edge of the triangle that it lies in.
float distance_to_edges(const FlatTriangle& t, float x, float y);

/// For each tile, row by row, the triangles that may show in it.
struct TileLists {
    std::vector<Index> first; ///< where each tile begins in `triangles`, and at last their number
    std::vector<Index> triangles;
};
TileLists tile_lists(const Canvas& canvas, const std::vector<FlatTriangle>& triangles);

/// What is seen in one tile: triangle number per sample, -1 for none.
class TileBuffer {
public:
    explicit TileBuffer(int samples);
    void fill(int left, int top, const std::vector<FlatTriangle>& triangles, const Index* begin, const Index* end);
    /// Sample (i, j) of pixel (x, y), both counted from the tile's corner.
    Index seen(int x, int y, int i, int j) const
    {
        return seen_[static_cast<std::size_t>((y * samples_ + j) * side_ + x * samples_ + i)];
    }

private:
    int samples_, side_;
    std::vector<float> near_;
    std::vector<Index> seen_;
};

} // namespace rubato
