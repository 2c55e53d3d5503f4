#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rubato {

/// A colour as it is stored and shown: sRGB, 0 to 255.
struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;

    bool operator==(const Rgb&) const = default;
};

/// Rows from the top, pixels from the left.
struct Image {
    int width = 0; ///< [px]
    int height = 0; ///< [px]
    std::vector<Rgb> pixels; ///< width * height of them

    Image() = default;
    Image(int columns, int rows, Rgb fill);

    Rgb& at(int x, int y) { return pixels[place(x, y)]; }
    const Rgb& at(int x, int y) const { return pixels[place(x, y)]; }

private:
    std::size_t place(int x, int y) const
    {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

/// Copies `part` into `whole`, its top left corner at (left, top); what would lie outside is left out.
void paste(Image& whole, const Image& part, int left, int top);

/// The image as a PNG file of 8 bits per channel. The same image always gives the same bytes. An image without pixels,
/// or with another number of them than its sides say, is a WriteError.
std::string png_bytes(const Image& image);

/// Writes these bytes; the file is there whole or not at all. Throws WriteError.
void write_png(const std::filesystem::path& path, const Image& image);

} // namespace rubato
