#include "picture/image.hpp"

#include "base/errors.hpp"
#include "geometry/files/atomic_file.hpp"

#include <algorithm>
#include <cstring>
#include <png.h>

namespace rubato {

namespace {

/// libpng's simplified interface: errors come back as a message in `png`, nothing is printed and nothing jumps through
/// our frames, as the error callback of its older interface would.
std::string encoded(const Image& image, const std::string& name)
{
    const std::size_t area = static_cast<std::size_t>(std::max(image.width, 0)) * std::max(image.height, 0);
    if (area == 0) throw WriteError(name, "the image has no pixels");
    if (area != image.pixels.size()) {
        throw WriteError(name,
            std::to_string(image.width) + " x " + std::to_string(image.height) + " px, but "
                + std::to_string(image.pixels.size()) + " pixels are stored");
    }

    png_image png;
    std::memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    png.width = static_cast<png_uint_32>(image.width);
    png.height = static_cast<png_uint_32>(image.height);
    png.format = PNG_FORMAT_RGB;

    static_assert(sizeof(Rgb) == 3, "libpng reads the pixels as packed triples");
    // Room for the worst case, so that the picture is compressed once and not a first time to learn its size.
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
    std::string bytes(size, '\0');
    const int written = png_image_write_to_memory(&png, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr);
    const std::string message = png.message;
    png_image_free(&png);
    if (!written) throw WriteError(name, "PNG: " + message);
    bytes.resize(size);
    return bytes;
}

} // namespace

Image::Image(int columns, int rows, Rgb fill)
    : width(columns)
    , height(rows)
    , pixels(static_cast<std::size_t>(std::max(columns, 0)) * static_cast<std::size_t>(std::max(rows, 0)), fill)
{
}

void paste(Image& whole, const Image& part, int left, int top)
{
    for (int y = std::max(0, -top); y < std::min(part.height, whole.height - top); ++y) {
        for (int x = std::max(0, -left); x < std::min(part.width, whole.width - left); ++x) {
            whole.at(left + x, top + y) = part.at(x, y);
        }
    }
}

std::string png_bytes(const Image& image) { return encoded(image, "PNG image"); }

void write_png(const std::filesystem::path& path, const Image& image)
{
    write_atomically(path, encoded(image, path.string()));
}

} // namespace rubato
