#pragma once

#include "picture/image.hpp"

#include <string_view>

namespace rubato {

/// Lines of text in a picture, drawn with a stroke font of our own: letters are polylines and smooth curves, so that
/// they are crisp at any size. ASCII 32 to 126; any other character appears as a question mark.

/// Width of a line of text [px] whose capital letters are `cap_height` [px] high.
double text_width(std::string_view text, double cap_height);

/// Draws a line of text: `left` is where it starts, `baseline` where its letters stand [px].
void draw_text(Image& image, std::string_view text, double left, double baseline, double cap_height, Rgb color);

/// Draws a line of text in the middle of [left, right]: smaller if it would not fit, down to 8 px, then cut with "...".
void draw_caption(
    Image& image, std::string_view text, double left, double right, double baseline, double cap_height, Rgb color);

} // namespace rubato
