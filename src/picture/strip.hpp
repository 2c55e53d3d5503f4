#pragma once

#include "picture/render.hpp"

#include <string>
#include <vector>

namespace rubato {

struct StripOptions {
    int columns = 0; ///< pictures in a row; 0: one row up to four pictures, then a grid about as high as wide
    int gap = 6; ///< between pictures [px]
    std::string title = {}; ///< a line above them all
};

/// Pictures in a grid, row by row, each with its caption below it (none, or one per picture). A picture smaller than
/// the largest one stands in the middle of its place. No pictures: one empty place.
Image strip_of(
    const std::vector<Image>& pictures, const std::vector<std::string>& captions, const StripOptions& options = {});

/// Where bodies are at a moment.
struct Moment {
    double time = 0; ///< [s]
    std::vector<std::vector<Vec3>> positions = {}; ///< one list per body [m]
    std::vector<std::vector<double>> vertex_values = {}; ///< one list per body, or none at all
    std::string words = {}; ///< what happens then, for its caption
};

/// The moments of a run side by side, each with its time, seen by one camera that frames them all, over one ground and
/// with one scale of colours. `options.width` and `height` are those of a single picture. Bodies give triangles,
/// colours and edges; their own positions are not looked at.
Image moments_picture(const std::vector<PictureBody>& bodies, const std::vector<Moment>& moments,
    const PictureOptions& options = {.width = 480, .height = 400}, const StripOptions& strip = {});

} // namespace rubato
