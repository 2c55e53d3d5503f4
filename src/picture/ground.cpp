#include "picture/ground.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr int grid_step = 4; ///< [px]

} // namespace

Ground::Ground(const Camera& camera, const Canvas& canvas, const Sky& sky, std::optional<float> height)
    : canvas_(canvas)
{
    if (!height || !(sky.radius() > 0)) return;
    columns_ = canvas.width / grid_step + 2;
    rows_ = canvas.height / grid_step + 2;
    grid_.resize(static_cast<std::size_t>(columns_ * rows_));
    parallel_for(
        rows_,
        [&](Index j) {
            for (int i = 0; i < columns_; ++i) {
                grid_[static_cast<std::size_t>(j * columns_ + i)] = shade_at(
                    camera, sky, *height, static_cast<float>(i * grid_step), static_cast<float>(j * grid_step));
            }
        },
        1);
    smooth();
    smooth();
    smooth();
}

Ground::Shade Ground::shade_at(const Camera& c, const Sky& sky, float height, float x, float y) const
{
    const double px = (2.0 * x / canvas_.frame_width - 1) * c.half_width;
    const double py = (1 - 2.0 * y / canvas_.frame_height) * c.half_height;
    Vec3 from = c.eye.x() * c.right + c.eye.y() * c.up + c.eye.z() * c.back;
    Vec3 along = -c.back;
    (c.perspective ? along : from) += px * c.right + py * c.up;
    const double falls = -along.dot(c.world_up), above = from.dot(c.world_up) - double(height);
    if (!(above > 0) || !(falls > 1e-9)) return {}; // looks up, or from below
    const Vec3f hit = (from + above / falls * along).cast<float>();
    const float distance = (hit - sky.center()).norm() / sky.radius();
    if (!(distance < 5)) return {};
    const float fade = std::clamp((5 - distance) / 3, 0.0f, 1.0f);
    const SkyLight seen = sky.at(hit, c.world_up.cast<float>());
    const float missing = 1 - seen.sky;
    // Far off, each direction of the sky leaves a faint patch of its own; the square hides them, contacts stay dark.
    return {fade * missing * missing / (missing + 0.06f), fade * (1 - seen.lamp)};
}

/// Weights 1 2 1 along both sides: takes away the steps that single directions of light leave.
void Ground::smooth()
{
    std::vector<Shade> smoothed(grid_.size());
    parallel_for(
        rows_,
        [&](Index j) {
            for (int i = 0; i < columns_; ++i) {
                Shade sum;
                for (int dj = -1; dj <= 1; ++dj) {
                    for (int di = -1; di <= 1; ++di) {
                        const float weight = static_cast<float>((2 - std::abs(di)) * (2 - std::abs(dj))) / 16;
                        const int row = std::clamp(j + dj, 0, rows_ - 1), column = std::clamp(i + di, 0, columns_ - 1);
                        const Shade& near = grid_[static_cast<std::size_t>(row * columns_ + column)];
                        sum.sky += weight * near.sky;
                        sum.lamp += weight * near.lamp;
                    }
                }
                smoothed[static_cast<std::size_t>(j * columns_ + i)] = sum;
            }
        },
        8);
    grid_ = std::move(smoothed);
}

Light Ground::at(float x, float y) const
{
    const Light bare = backdrop(y / static_cast<float>(canvas_.height), x / static_cast<float>(canvas_.width));
    if (grid_.empty()) return bare;
    const float gx = std::clamp(x / grid_step, 0.0f, static_cast<float>(columns_ - 2));
    const float gy = std::clamp(y / grid_step, 0.0f, static_cast<float>(rows_ - 2));
    const int i = std::min(static_cast<int>(gx), columns_ - 2), j = std::min(static_cast<int>(gy), rows_ - 2);
    const float fx = gx - static_cast<float>(i), fy = gy - static_cast<float>(j);
    const Shade* at = grid_.data() + j * columns_ + i;
    const auto between = [&](float Shade::*share) {
        return (1 - fy) * ((1 - fx) * at[0].*share + fx * at[1].*share)
            + fy * ((1 - fx) * at[columns_].*share + fx * at[columns_ + 1].*share);
    };
    return shaded_ground(bare, between(&Shade::sky), between(&Shade::lamp));
}

} // namespace rubato
