#pragma once

#include "picture/camera.hpp"
#include "picture/raster.hpp"
#include "picture/shading.hpp"
#include "picture/sky.hpp"

#include <optional>
#include <vector>

namespace rubato {

/// What is seen past the bodies: a light backdrop, and the shadow of the bodies on the ground before it. The shadow is
/// soft, so it is found on a coarse grid over the picture, smoothed, and interpolated between.
class Ground {
public:
    /// `height` along up, in local coordinates of the camera; none: only the backdrop.
    Ground(const Camera& camera, const Canvas& canvas, const Sky& sky, std::optional<float> height);

    Light at(float x, float y) const; ///< at a point of the picture [px]

private:
    struct Shade {
        float sky = 0, lamp = 0; ///< missing shares
    };

    Shade shade_at(const Camera& camera, const Sky& sky, float height, float x, float y) const;
    void smooth();

    Canvas canvas_;
    int columns_ = 0, rows_ = 0;
    std::vector<Shade> grid_; ///< every grid_step pixels, from the top left corner
};

} // namespace rubato
