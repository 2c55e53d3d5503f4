#include "picture/raster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

namespace {

/// Twice the signed area of (a, b, p), in double: float coordinates make the products exact.
double edge(const FlatTriangle& t, int a, int b, double x, double y)
{
    const double ax = t.x[a], ay = t.y[a];
    return (t.x[b] - ax) * (y - ay) - (t.y[b] - ay) * (x - ax);
}

int to_int(double value, int low, int high) { return static_cast<int>(std::clamp(value, double(low), double(high))); }

} // namespace

FlatTriangle flat_triangle(const Camera& camera, const Canvas& canvas, const std::array<Eigen::Vector3f, 3>& corners)
{
    constexpr double nearest = 1e-3; // triangles that reach behind the eye are left out
    constexpr double farthest = 1e7; // [px] beyond this, float coordinates are too coarse to be drawn
    FlatTriangle flat{};
    for (std::size_t k = 0; k < 3; ++k) {
        const Projection p = camera.project_local(corners[k].cast<double>());
        const double x = (p.x + 1) / 2 * canvas.frame_width, y = (1 - p.y) / 2 * canvas.frame_height;
        if (!(p.depth > nearest) || !(std::abs(x) < farthest) || !(std::abs(y) < farthest)) return flat;
        flat.x[k] = static_cast<float>(x);
        flat.y[k] = static_cast<float>(y);
        flat.near[k] = static_cast<float>(camera.perspective ? 1 / p.depth : -p.depth);
    }
    const auto [x0, x1] = std::minmax({flat.x[0], flat.x[1], flat.x[2]});
    const auto [y0, y1] = std::minmax({flat.y[0], flat.y[1], flat.y[2]});
    flat.visible = x1 >= 0 && y1 >= 0 && x0 <= static_cast<float>(canvas.width)
        && y0 <= static_cast<float>(canvas.height) && std::abs(edge(flat, 0, 1, flat.x[2], flat.y[2])) > 1e-9;
    return flat;
}

Eigen::Vector3f shares_at(const FlatTriangle& t, float x, float y, bool perspective)
{
    const double area = edge(t, 0, 1, t.x[2], t.y[2]);
    Eigen::Vector3d share(edge(t, 1, 2, x, y), edge(t, 2, 0, x, y), edge(t, 0, 1, x, y));
    share = (share / area).cwiseMax(0.0);
    if (perspective) share = share.cwiseProduct(Eigen::Vector3d(t.near[0], t.near[1], t.near[2]));
    const double sum = share.sum();
    if (!(sum > 0)) return Eigen::Vector3f::Constant(1 / 3.0f);
    return (share / sum).cast<float>();
}

float distance_to_edges(const FlatTriangle& t, float x, float y)
{
    double least = std::numeric_limits<double>::infinity();
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3;
        const double dx = double(t.x[b]) - t.x[a], dy = double(t.y[b]) - t.y[a];
        const double length = std::sqrt(dx * dx + dy * dy);
        if (length > 0) least = std::min(least, std::abs(edge(t, a, b, x, y)) / length);
    }
    return static_cast<float>(least);
}

TileLists tile_lists(const Canvas& canvas, const std::vector<FlatTriangle>& triangles)
{
    const int columns = canvas.tile_columns(), rows = canvas.tile_rows();
    const auto for_tiles = [&](const FlatTriangle& t, const auto& call) {
        const auto [x0, x1] = std::minmax({t.x[0], t.x[1], t.x[2]});
        const auto [y0, y1] = std::minmax({t.y[0], t.y[1], t.y[2]});
        const int c0 = to_int(std::floor(x0 / tile_side), 0, columns - 1),
                  c1 = to_int(std::floor(x1 / tile_side), 0, columns - 1);
        const int r0 = to_int(std::floor(y0 / tile_side), 0, rows - 1),
                  r1 = to_int(std::floor(y1 / tile_side), 0, rows - 1);
        for (int r = r0; r <= r1; ++r) {
            for (int c = c0; c <= c1; ++c) call(static_cast<std::size_t>(r * columns + c));
        }
    };

    TileLists lists;
    lists.first.assign(static_cast<std::size_t>(columns * rows) + 1, 0);
    for (const FlatTriangle& t : triangles) {
        if (t.visible) for_tiles(t, [&](std::size_t tile) { ++lists.first[tile + 1]; });
    }
    for (std::size_t i = 1; i < lists.first.size(); ++i) lists.first[i] += lists.first[i - 1];
    lists.triangles.resize(static_cast<std::size_t>(lists.first.back()));
    std::vector<Index> next(lists.first.begin(), lists.first.end() - 1);
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        if (!triangles[i].visible) continue;
        for_tiles(triangles[i],
            [&](std::size_t tile) { lists.triangles[static_cast<std::size_t>(next[tile]++)] = static_cast<Index>(i); });
    }
    return lists;
}

TileBuffer::TileBuffer(int samples)
    : samples_(samples)
    , side_(tile_side * samples)
    , near_(static_cast<std::size_t>(side_ * side_))
    , seen_(static_cast<std::size_t>(side_ * side_))
{
}

void TileBuffer::fill(
    int left, int top, const std::vector<FlatTriangle>& triangles, const Index* begin, const Index* end)
{
    std::fill(near_.begin(), near_.end(), -std::numeric_limits<float>::infinity());
    std::fill(seen_.begin(), seen_.end(), -1);

    const double per_pixel = samples_;
    // Sample i of the tile lies at pixel left + (i + 1/2) / samples.
    const auto sample = [&](double pixel, int origin) { return (pixel - origin) * per_pixel - 0.5; };
    for (const Index* at = begin; at != end; ++at) {
        const FlatTriangle& t = triangles[static_cast<std::size_t>(*at)];
        const double area = edge(t, 0, 1, t.x[2], t.y[2]);
        const auto [low_y, high_y] = std::minmax({t.y[0], t.y[1], t.y[2]});
        const auto [low_x, high_x] = std::minmax({t.x[0], t.x[1], t.x[2]});
        const auto [low_near, high_near] = std::minmax({t.near[0], t.near[1], t.near[2]});
        const int j0 = to_int(std::ceil(sample(low_y, top)), 0, side_),
                  j1 = to_int(std::floor(sample(high_y, top)), -1, side_ - 1);

        // near = near_0 + slope_x (x - x_0) + slope_y (y - y_0)
        const double x1 = double(t.x[1]) - t.x[0], y1 = double(t.y[1]) - t.y[0], n1 = double(t.near[1]) - t.near[0];
        const double x2 = double(t.x[2]) - t.x[0], y2 = double(t.y[2]) - t.y[0], n2 = double(t.near[2]) - t.near[0];
        const double slope_x = (n1 * y2 - n2 * y1) / area, slope_y = (x1 * n2 - x2 * n1) / area;

        for (int j = j0; j <= j1; ++j) {
            const double y = top + (j + 0.5) / per_pixel;
            double from = low_x, to = high_x; // the part of this row inside all three edges
            for (int a = 0; a < 3; ++a) {
                const int b = (a + 1) % 3;
                const double dy = (double(t.y[b]) - t.y[a]) * (area > 0 ? 1 : -1);
                const double value = edge(t, a, b, 0, y) * (area > 0 ? 1 : -1); // inside: value - dy x >= 0
                if (dy > 0) to = std::min(to, value / dy);
                if (dy < 0) from = std::max(from, value / dy);
                if (dy == 0 && value < 0) to = from - 1;
            }
            // A hair wider, so that rounding leaves no gap between neighbours.
            const int i0 = to_int(std::ceil(sample(from, left) - 1e-6), 0, side_),
                      i1 = to_int(std::floor(sample(to, left) + 1e-6), -1, side_ - 1);
            const std::size_t row = static_cast<std::size_t>(j * side_);
            const double near_of_row = t.near[0] + slope_y * (y - t.y[0]) + slope_x * (left - double(t.x[0]));
            for (int i = i0; i <= i1; ++i) {
                const float near = std::clamp(
                    static_cast<float>(near_of_row + slope_x * (i + 0.5) / per_pixel), low_near, high_near);
                const std::size_t place = row + static_cast<std::size_t>(i);
                if (near > near_[place]) {
                    near_[place] = near;
                    seen_[place] = *at;
                }
            }
        }
    }
}

} // namespace rubato
