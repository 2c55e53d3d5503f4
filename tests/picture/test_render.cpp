#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "geometry/generators.hpp"
#include "picture/color.hpp"
#include "picture/render.hpp"
#include "picture/shapes.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

namespace rubato {
namespace {

/// Small, one sample per pixel, without ground: a pixel is either body or backdrop.
PictureOptions plain(const Camera& camera)
{
    return {.width = 320, .height = 240, .samples = 1, .fixed_camera = camera, .ground = false};
}

struct Silhouette {
    double area = 0, x = 0, y = 0; ///< [px]
};

Silhouette silhouette(const std::vector<PictureBody>& bodies, const PictureOptions& options)
{
    const Image with = picture_of(bodies, options), without = picture_of(std::vector<PictureBody>{}, options);
    Silhouette s;
    for (int y = 0; y < with.height; ++y) {
        for (int x = 0; x < with.width; ++x) {
            if (with.at(x, y) == without.at(x, y)) continue;
            s.area += 1;
            s.x += x + 0.5;
            s.y += y + 0.5;
        }
    }
    s.x /= s.area;
    s.y /= s.area;
    return s;
}

TEST(Picture, ParallelRaysShowABallAsItsDisc)
{
    Camera camera;
    camera.perspective = false;
    camera.half_width = 4;
    camera.half_height = 3; // 40 px per metre
    const Silhouette s = silhouette({ball(Vec3(1.5, -0.75, 0.3), 1.1, 5)}, plain(camera));
    EXPECT_NEAR(s.area, std::numbers::pi * 44 * 44, 0.006 * std::numbers::pi * 44 * 44);
    EXPECT_NEAR(s.x, 160 + 60, 0.1);
    EXPECT_NEAR(s.y, 120 + 30, 0.1);
}

TEST(Picture, PerspectiveShowsABallAsTheConeThatTouchesIt)
{
    Camera camera; // the eye stands at z = 5
    camera.half_width = 0.6;
    camera.half_height = 0.45;
    const double distance = 5 - 1.2, radius = 1.0;
    const double slope = radius / std::sqrt(distance * distance - radius * radius);
    const double pixels = slope / 0.45 * 120;
    const Silhouette s = silhouette({ball(Vec3(0, 0, 1.2), radius, 5)}, plain(camera));
    EXPECT_NEAR(s.area, std::numbers::pi * pixels * pixels, 0.006 * std::numbers::pi * pixels * pixels);
    EXPECT_NEAR(s.x, 160, 0.1);
    EXPECT_NEAR(s.y, 120, 0.1);
}

TEST(Picture, SamplesSmoothTheOutline)
{
    Camera camera;
    camera.perspective = false;
    camera.half_width = 4;
    camera.half_height = 3;
    PictureOptions options = plain(camera);
    options.samples = 4;
    // A square that ends in the middle of pixels: its border is half covered.
    const Image image = picture_of({square(Vec3(0, 0, 0), 1.0125, Rgb{0, 0, 0})}, options);
    const double inside = brightness(image.at(160 + 38, 120)), border = brightness(image.at(160 + 40, 120)),
                 outside = brightness(image.at(160 + 42, 120));
    EXPECT_GT(border, inside + 20);
    EXPECT_LT(border, outside - 20);
}

TEST(Picture, NearHidesFarInAnyOrder)
{
    const Rgb red{200, 20, 20}, blue{20, 20, 200};
    for (const bool perspective : {true, false}) {
        Camera camera;
        camera.perspective = perspective;
        if (!perspective) camera.half_width = 2, camera.half_height = 1.5;
        const PictureBody near = square(Vec3(0, 0, 1), 0.3, red), far = square(Vec3(0, 0, 0.5), 0.8, blue);
        for (const auto& bodies : {std::vector{near, far}, std::vector{far, near}}) {
            const Image image = picture_of(bodies, plain(camera));
            EXPECT_GT(image.at(160, 120).r, 2 * image.at(160, 120).b);
            const double x = far.positions[1].x() * 0.9, z = 0.5;
            const int column = static_cast<int>(160 * (camera.project(Vec3(x, 0, z)).x + 1));
            EXPECT_GT(image.at(column, 120).b, 2 * image.at(column, 120).r);
        }
    }
}

TEST(Picture, BodiesThatCrossShowBothSidesOfTheLineWhereTheyMeet)
{
    Camera camera; // a red and a blue square lean through each other along the line x = 0
    PictureBody red = square(Vec3(0, 0, 0), 1, {200, 20, 20}), blue = square(Vec3(0, 0, 0), 1, {20, 20, 200});
    for (Vec3& p : red.positions) p.z() = 0.5 * p.x();
    for (Vec3& p : blue.positions) p.z() = -0.5 * p.x();
    const Image image = picture_of({red, blue}, plain(camera));
    for (int x = 100; x < 220; ++x) {
        if (std::abs(x - 159.5) < 1) continue;
        EXPECT_EQ(image.at(x, 120).r > image.at(x, 120).b, x >= 160) << x;
    }
}

TEST(Picture, IsTheSameForAnyNumberOfThreads)
{
    const std::vector<PictureBody> bodies{ball(Vec3(0, 0, 0), 1, 3), ball(Vec3(1.5, 0.2, 0.3), 0.7, 2)};
    PictureOptions options{.width = 200, .height = 150, .caption = "two balls"};
    set_thread_count(1);
    const std::string one = png_bytes(picture_of(bodies, options));
    for (const int threads : {2, 5, 16}) {
        set_thread_count(threads);
        EXPECT_EQ(png_bytes(picture_of(bodies, options)), one);
    }
    set_thread_count(0);
}

TEST(Picture, OfHugeTinyFlatOrFarBodiesLooksAsThatOfOrdinaryOnes)
{
    const PictureOptions options{.width = 64, .height = 48, .samples = 1};
    const Image ordinary = picture_of({ball(Vec3::Zero(), 1, 2)}, options);
    for (const double scale : {0x1p-900, 0x1p-30, 0x1p900, 0x1p1022}) { // powers of two round alike
        PictureBody scaled = ball(Vec3::Zero(), 1, 2);
        for (Vec3& p : scaled.positions) p *= scale;
        EXPECT_EQ(picture_of({scaled}, options).pixels, ordinary.pixels) << scale;
    }
}

TEST(Picture, OfNothingOrOfBodiesWithoutExtentIsTheBackdrop)
{
    const PictureOptions options{.width = 40, .height = 30};
    const Image empty = picture_of(std::vector<PictureBody>{}, options);
    EXPECT_EQ(empty.width, 40);
    EXPECT_EQ(picture_of(std::vector<PictureBody>(2), options).pixels, empty.pixels);
    EXPECT_EQ(picture_of(TetMesh{}, options).pixels, empty.pixels);
    PictureBody collapsed = ball(Vec3(1, 2, 3), 0, 1); // every node in one place
    EXPECT_EQ(picture_of({collapsed}, options).pixels, empty.pixels);
    PictureBody line{.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)}, .triangles = {{0, 1, 2}, {1, 1, 2}}};
    EXPECT_EQ(picture_of({line}, options).pixels.size(), empty.pixels.size());
}

TEST(Picture, DegenerateTrianglesLeaveTheOthersAlone)
{
    const PictureOptions options{.width = 64, .height = 48};
    PictureBody body = ball(Vec3::Zero(), 1, 2);
    body.crease_angle = 0;
    const Image clean = picture_of({body}, options);
    body.triangles.push_back({0, 0, 0});
    body.triangles.push_back({3, 4, 3});
    EXPECT_EQ(picture_of({body}, options).pixels, clean.pixels);
}

TEST(Picture, OfWhatReachesBehindTheEyeIsDrawnWithoutIt)
{
    PictureBody long_one = square(Vec3(0, 0, 0), 1, {});
    long_one.positions[0].z() = 100;
    long_one.positions.push_back(Vec3(1e300, 0, 0));
    long_one.triangles.push_back({1, 2, 4});
    EXPECT_NO_THROW(picture_of({long_one}, plain(Camera{})));
}

TEST(Picture, CoordinatesThatAreNotFiniteAndOptionsOutOfRangeAreRefused)
{
    PictureBody bad = ball(Vec3::Zero(), 1, 1);
    bad.positions[5].x() = std::numeric_limits<double>::infinity();
    EXPECT_THROW(picture_of({bad}), InputError);
    TetMesh mesh = box_mesh(Vec3(1, 1, 1), {1, 1, 1});
    mesh.nodes[0].z() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(picture_of(mesh), InputError);
    EXPECT_THROW(picture_of(mesh, {.cut_open = true}), InputError);
    EXPECT_THROW(picture_of(std::vector<PictureBody>{}, {.width = 0}), InputError);
    EXPECT_THROW(picture_of(std::vector<PictureBody>{}, {.height = 100'000}), InputError);
    EXPECT_THROW(picture_of(std::vector<PictureBody>{}, {.samples = 9}), InputError);
}

TEST(Picture, BodyDarkensTheGroundUnderIt)
{
    PictureOptions options{.width = 160, .height = 120, .samples = 1};
    PictureBody body = ball(Vec3(0, 1, 0), 1, 3);
    const Camera camera = picture_camera({body}, options);
    options.fixed_camera = camera;
    const Image with = picture_of({body}, options);
    options.ground = false;
    const Image without = picture_of({body}, options);
    double most = 0;
    int lighter = 0;
    for (std::size_t i = 0; i < with.pixels.size(); ++i) {
        most = std::max(most, brightness(without.pixels[i]) - brightness(with.pixels[i]));
        lighter += brightness(with.pixels[i]) > brightness(without.pixels[i]) + 1;
    }
    EXPECT_GT(most, 40); // where it touches
    EXPECT_EQ(lighter, 0);
    EXPECT_EQ(with.at(2, 2), without.at(2, 2)); // the sky has no shadow
}

TEST(Picture, LightComesFromAboveWhateverIsUp)
{
    for (const Vec3& up : {Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(-1, 0, 0)}) {
        PictureOptions options{.width = 120, .height = 90, .ground = false};
        options.camera.up = up;
        options.camera.view = View::front;
        const Image image = picture_of({ball(Vec3::Zero(), 1, 3)}, options);
        EXPECT_GT(brightness(image.at(60, 18)), brightness(image.at(60, 72)) + 20);
    }
}

TEST(Picture, EdgesAreDarkerThanTheFacesBetweenThem)
{
    Camera camera;
    PictureBody body = square(Vec3::Zero(), 1, Rgb{200, 200, 200}); // its diagonal goes through the middle
    PictureOptions options = plain(camera);
    options.samples = 3;
    const Image bare = picture_of({body}, options);
    body.edges = true;
    const Image wired = picture_of({body}, options);
    EXPECT_LT(brightness(wired.at(160, 119)), brightness(bare.at(160, 119)) - 40);
    EXPECT_EQ(wired.at(180, 119), bare.at(180, 119));
}

TEST(Picture, ValuesAreShownByTheColourMap)
{
    PictureBody body = square(Vec3::Zero(), 1, {});
    body.triangle_values = {0, 10};
    const Image image = picture_of({body}, plain(Camera{}));
    const Rgb low = image.at(170, 150), high = image.at(150, 90); // below and above the diagonal
    EXPECT_GT(low.b, low.g);
    EXPECT_GT(high.g, 1.5 * high.b);
    body.triangle_values = {std::numeric_limits<double>::quiet_NaN(), 10};
    const Rgb none = picture_of({body}, plain(Camera{})).at(170, 150);
    EXPECT_LT(std::abs(none.r - none.b), 40); // grey
}

TEST(Picture, CutOpenShowsTheInsideInItsOwnColour)
{
    const TetMesh mesh = box_mesh(Vec3(1, 1, 1), {4, 4, 4});
    PictureOptions options{.width = 160, .height = 120};
    options.camera.view = View::front;
    const Rgb whole = picture_of(mesh, options).at(80, 64);
    options.cut_open = true;
    const Rgb cut = picture_of(mesh, options).at(80, 64);
    EXPECT_GT(whole.r, whole.g + 50); // the first body colour is coral
    EXPECT_GT(cut.g, cut.b + 40); // inner faces are yellow
    EXPECT_LT(cut.r, cut.g + 40);
}

TEST(Picture, CaptionLeavesInkBelowTheBodies)
{
    PictureOptions options{.width = 320, .height = 240};
    const std::vector<PictureBody> none;
    const Image bare = picture_of(none, options);
    options.caption = "bunny: 4700 nodes, smallest angle 22 degrees";
    const Image image = picture_of(none, options);
    int ink = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const bool marked = brightness(image.at(x, y)) < brightness(bare.at(x, y)) - 50;
            ink += marked;
            EXPECT_TRUE(!marked || y > 210) << y;
        }
    }
    EXPECT_GT(ink, 200);
}

TEST(Color, MapGrowsLighterAllTheWay)
{
    double before = -1;
    for (int i = 0; i <= 50; ++i) {
        const double now = light_of(map_color(i / 50.0)).dot(Light(0.2126f, 0.7152f, 0.0722f));
        EXPECT_GT(now, before);
        before = now;
    }
    EXPECT_EQ(map_color(-3), map_color(0));
    EXPECT_EQ(map_color(7), map_color(1));
}

TEST(Color, BodiesAreEasyToTellApart)
{
    for (int i = 0; i < 30; ++i) {
        for (int j = i + 1; j < 30; ++j) {
            const Rgb a = body_color(i), b = body_color(j);
            const double apart = std::hypot(a.r - b.r, a.g - b.g, a.b - b.b);
            EXPECT_GT(apart, i < 10 && j < 10 ? 45 : 8) << i << " and " << j;
        }
    }
}

TEST(Color, CodesSurviveDecodingAndEncoding)
{
    for (int i = 0; i < 256; ++i) {
        const Rgb c{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(255 - i), 7};
        EXPECT_EQ(rgb_of(light_of(c)), c);
    }
}

} // namespace
} // namespace rubato
