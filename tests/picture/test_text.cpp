#include "picture/text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rubato {
namespace {

constexpr Rgb white{255, 255, 255};

Image written(const std::string& text, double cap_height = 12)
{
    Image image(40, 30, white);
    draw_text(image, text, 6, 20, cap_height, {0, 0, 0});
    return image;
}

/// Pixels that are closer to ink than to paper in just one of the two.
int differences(const Image& a, const Image& b)
{
    int count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) count += (a.pixels[i].g < 128) != (b.pixels[i].g < 128);
    return count;
}

TEST(Font, LettersDifferFromEachOther)
{
    std::vector<Image> glyphs;
    for (char c = 32; c < 127; ++c) glyphs.push_back(written(std::string(1, c)));
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
        for (std::size_t j = i + 1; j < glyphs.size(); ++j) {
            EXPECT_GE(differences(glyphs[i], glyphs[j]), 3)
                << static_cast<char>(32 + i) << " and " << static_cast<char>(32 + j);
        }
    }
}

TEST(Font, EveryLetterButTheBlankLeavesInk)
{
    const Image blank = written(" ");
    EXPECT_EQ(differences(blank, Image(40, 30, white)), 0);
    for (char c = 33; c < 127; ++c) EXPECT_GE(differences(written(std::string(1, c)), blank), 2) << c;
}

TEST(Font, InkStaysInsideTheWidthThatIsSaid)
{
    for (char c = 33; c < 127; ++c) {
        const std::string text(1, c);
        const Image image = written(text);
        const double right = 6 + text_width(text, 12) + 1.5; // half a stroke and a pixel
        for (int y = 0; y < image.height; ++y) {
            for (int x = 0; x < image.width; ++x) {
                EXPECT_TRUE(image.at(x, y).g >= 128 || (x >= 4 && x <= right)) << c << " at " << x;
            }
        }
    }
}

TEST(Font, WidthGrowsInProportionToHeight)
{
    EXPECT_GT(text_width("Rubato", 12), 30);
    EXPECT_NEAR(text_width("Rubato", 24), 2 * text_width("Rubato", 12), 1e-9);
    EXPECT_EQ(text_width("", 12), 0);
}

TEST(Font, OtherCharactersBecomeOneQuestionMark)
{
    EXPECT_EQ(written("\xC3\xA9").pixels, written("?").pixels); // e with an accent: two bytes
    EXPECT_EQ(written("\n").pixels, written("?").pixels);
}

TEST(Caption, TooLongIsMadeSmallerThenCut)
{
    for (const std::size_t length : {5, 20, 40, 400}) {
        Image image(200, 30, white);
        draw_caption(image, std::string(length, 'M'), 50, 150, 20, 14, {0, 0, 0});
        int inside = 0, outside = 0;
        for (int y = 0; y < image.height; ++y) {
            for (int x = 0; x < image.width; ++x) {
                if (image.at(x, y).g < 128) (x >= 48 && x < 152 ? inside : outside) += 1;
            }
        }
        EXPECT_GT(inside, 50);
        EXPECT_EQ(outside, 0);
    }
}

TEST(Text, OutsideTheImageIsNotDrawn)
{
    Image image(10, 10, white);
    draw_text(image, "far away", -500, 300, 12, {0, 0, 0});
    draw_text(image, "far away", 500, -300, 12, {0, 0, 0});
    EXPECT_EQ(image.pixels, Image(10, 10, white).pixels);
}

} // namespace
} // namespace rubato
