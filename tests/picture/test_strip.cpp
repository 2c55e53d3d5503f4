#include "base/errors.hpp"
#include "picture/shapes.hpp"
#include "picture/strip.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace rubato {
namespace {

TEST(Strip, PlacesPicturesRowByRow)
{
    std::vector<Image> pictures;
    for (int i = 0; i < 5; ++i) pictures.emplace_back(30, 20, Rgb{static_cast<std::uint8_t>(10 * i), 0, 0});
    const Image strip = strip_of(pictures, {}, {.columns = 3, .gap = 2});
    EXPECT_EQ(strip.width, 3 * 32 + 2);
    EXPECT_EQ(strip.height, 2 * 22 + 2);
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(strip.at(2 + i % 3 * 32 + 15, 2 + i / 3 * 22 + 10), pictures[static_cast<std::size_t>(i)].at(0, 0));
    }
    EXPECT_EQ(strip.at(2 + 2 * 32 + 15, 2 + 22 + 10), (Rgb{255, 255, 255})); // the sixth place is empty
}

TEST(Strip, CaptionsAndTitleTakeRoomOfTheirOwn)
{
    const std::vector<Image> pictures(2, Image(200, 50, Rgb{0, 0, 255}));
    const Image bare = strip_of(pictures, {}), named = strip_of(pictures, {"one", "two"}, {.title = "both"});
    EXPECT_GT(named.height, bare.height + 20);
    int blue = 0;
    for (const Rgb& p : named.pixels) blue += p == Rgb{0, 0, 255};
    EXPECT_EQ(blue, 2 * 200 * 50); // no letter lies on a picture
    EXPECT_THROW(strip_of(pictures, {"one"}), InputError);
    EXPECT_NO_THROW(png_bytes(strip_of({}, {})));
}

std::vector<Moment> falling_ball()
{
    std::vector<Moment> moments;
    for (int i = 0; i < 3; ++i)
        moments.push_back({.time = 0.1 * i, .positions = {ball(Vec3(0, 5 - 2 * i, 0), 0.5, 2).positions}});
    return moments;
}

TEST(Moments, LoseSightOfAFewOfACrowdThatFlewOff)
{
    const PictureOptions options{.width = 90, .height = 90, .samples = 1, .ground = false};
    const auto dark_pixels = [&](double last) { // eighty balls, the last of them elsewhere
        std::vector<PictureBody> bodies;
        Moment moment;
        for (int i = 0; i < 80; ++i) {
            const Vec3 place(i == 79 ? last : 2 * (i % 9), 2 * (i / 9), 0);
            bodies.push_back({.triangles = ball(Vec3::Zero(), 1, 1).triangles, .color = Rgb{0, 0, 0}});
            moment.positions.push_back(ball(place, 1, 1).positions);
        }
        int count = 0;
        for (const Rgb& p : moments_picture(bodies, {moment}, options, {.gap = 0}).pixels) count += brightness(p) < 140;
        return count;
    };
    const int together = dark_pixels(14), one_away = dark_pixels(1000);
    EXPECT_GT(together, 500);
    EXPECT_GT(one_away, together / 2);
}

TEST(Moments, ShareOneCameraSoThatMotionIsSeen)
{
    PictureOptions options{.width = 90, .height = 90, .samples = 1, .ground = false};
    const std::vector<PictureBody> bodies{{.triangles = ball(Vec3::Zero(), 1, 2).triangles, .color = Rgb{0, 0, 0}}};
    const Image strip = moments_picture(bodies, falling_ball(), options, {.columns = 3, .gap = 0});
    std::vector<double> heights, areas;
    for (int i = 0; i < 3; ++i) {
        double sum = 0, count = 0;
        for (int y = 0; y < 90; ++y) {
            for (int x = 90 * i; x < 90 * (i + 1); ++x) {
                if (brightness(strip.at(x, y)) < 140) sum += y, count += 1;
            }
        }
        heights.push_back(sum / count);
        areas.push_back(count);
    }
    EXPECT_GT(heights[1], heights[0] + 10);
    EXPECT_GT(heights[2], heights[1] + 10);
    EXPECT_NEAR(areas[2] / areas[0], 1, 0.5); // the size changes with perspective only
}

TEST(Moments, WithoutAllTheirPositionsAreRefused)
{
    const PictureOptions small{.width = 32, .height = 32, .samples = 1};
    const std::vector<PictureBody> bodies{{.triangles = ball(Vec3::Zero(), 1, 2).triangles}};
    std::vector<Moment> moments = falling_ball();
    EXPECT_NO_THROW(moments_picture(bodies, moments, small));
    EXPECT_NO_THROW(moments_picture(bodies, {}, small));
    moments[1].positions[0].pop_back();
    EXPECT_THROW(moments_picture(bodies, moments, small), InputError);
    moments[1].positions.clear();
    EXPECT_THROW(moments_picture(bodies, moments, small), InputError);
    moments = falling_ball();
    moments[2].positions[0][3].y() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(moments_picture(bodies, moments, small), InputError);
}

} // namespace
} // namespace rubato
