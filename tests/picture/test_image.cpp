#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "files/scratch_folder.hpp"
#include "picture/image.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <png.h>

namespace rubato {
namespace {

using PngFile = ScratchFolder;

Image decoded(const std::string& bytes)
{
    png_image png;
    std::memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size())) return {};
    png.format = PNG_FORMAT_RGB;
    Image image(static_cast<int>(png.width), static_cast<int>(png.height), {});
    if (!png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr)) return {};
    return image;
}

Image motley(int width, int height)
{
    Image image(width, height, {});
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            image.at(x, y) = {static_cast<std::uint8_t>(37 * x + y), static_cast<std::uint8_t>(x * y),
                static_cast<std::uint8_t>(255 - 5 * x)};
        }
    }
    return image;
}

TEST(Png, DecodesBackToTheSamePixels)
{
    for (const auto& [w, h] : {std::pair{1, 1}, std::pair{7, 3}, std::pair{1, 40}, std::pair{123, 77}}) {
        const Image image = motley(w, h);
        const Image back = decoded(png_bytes(image));
        EXPECT_EQ(back.width, w);
        EXPECT_EQ(back.height, h);
        EXPECT_EQ(back.pixels, image.pixels);
    }
}

TEST_F(PngFile, HoldsTheBytes)
{
    const std::filesystem::path path = folder / "a.png";
    write_png(path, motley(20, 10));
    EXPECT_EQ(file_bytes(path), png_bytes(motley(20, 10)));
}

TEST(Png, RefusesAnImageWithoutPixelsAndOneWithTooFew)
{
    EXPECT_THROW(png_bytes(Image{}), WriteError);
    EXPECT_THROW(png_bytes(Image(0, 5, {})), WriteError);
    Image torn = motley(4, 4);
    torn.pixels.pop_back();
    EXPECT_THROW(png_bytes(torn), WriteError);
}

TEST_F(PngFile, ThatCouldNotBeWrittenIsNamed)
{
    const std::filesystem::path path = folder / "missing" / "a.png";
    try {
        write_png(path, motley(4, 4));
        FAIL() << "written into a folder that is not there";
    } catch (const WriteError& e) {
        EXPECT_EQ(e.path(), path.string());
    }
}

TEST(Paste, LeavesOutWhatLiesOutside)
{
    Image whole(4, 3, {1, 1, 1});
    const Image part(3, 3, {9, 9, 9});
    paste(whole, part, 2, -2);
    int changed = 0;
    for (const Rgb& p : whole.pixels) changed += p == Rgb{9, 9, 9};
    EXPECT_EQ(changed, 2);
    EXPECT_EQ(whole.at(2, 0), (Rgb{9, 9, 9}));
    EXPECT_EQ(whole.at(3, 0), (Rgb{9, 9, 9}));
}

} // namespace
} // namespace rubato
