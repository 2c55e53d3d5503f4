#include "base/errors.hpp"
#include "picture/camera.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace rubato {
namespace {

std::vector<Vec3> cloud(std::mt19937& random, int count, const Vec3& stretch, const Vec3& at)
{
    std::normal_distribution<double> normal;
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        points.push_back(at + stretch.cwiseProduct(Vec3(normal(random), normal(random), normal(random))));
    }
    return points;
}

/// Largest |x| and |y| of the points in the picture.
std::pair<double, double> extent(const Camera& camera, const std::vector<Vec3>& points)
{
    double x = 0, y = 0;
    for (const Vec3& p : points) {
        const Projection seen = camera.project(p);
        EXPECT_GT(seen.depth, 0);
        x = std::max(x, std::abs(seen.x));
        y = std::max(y, std::abs(seen.y));
    }
    return {x, y};
}

TEST(Framing, FillsThePictureWithAnyCloudFromAnyDirection)
{
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 200; ++i) {
        const Vec3 stretch(std::exp(normal(random)), std::exp(normal(random)), std::exp(normal(random)));
        const auto points = cloud(random, 3 + i, std::pow(10.0, i % 9 - 4) * stretch, Vec3(3, -2, 1) * normal(random));
        CameraOptions options;
        options.direction = Vec3(normal(random), normal(random), normal(random));
        options.up = Vec3(normal(random), normal(random), normal(random));
        options.perspective = i % 2;
        options.aspect = i % 3 ? 1.5 : 0.4;
        options.field_of_view = 5 + i % 30; // wider, the eye would have to stand among the points
        options.margin = 0.1;
        const auto [x, y] = extent(framing(points, options), points);
        EXPECT_LE(std::max(x, y), 0.8 + 1e-9); // a tenth is left free at each side
        EXPECT_GE(std::max(x, y), 0.8 - 1e-6) << i; // and the rest is used
    }
}

TEST(Framing, OfABoxHoldsItsCorners)
{
    const Bounds box{Vec3(-1, 2, 3), Vec3(4, 5, 3.5)};
    const Camera camera = framing(box);
    const auto [x, y] = extent(camera, {box.low, box.high, Vec3(4, 2, 3), Vec3(-1, 5, 3.5), Vec3(-1, 2, 3.5)});
    EXPECT_LT(std::max(x, y), 1);
}

TEST(Framing, NamedViewsLookAlongTheAxesOfTheWorld)
{
    const std::vector<Vec3> points{Vec3(-1, -1, -1), Vec3(1, 1, 1)};
    const auto back = [&](View view, const Vec3& up) { return framing(points, {.view = view, .up = up}).back; };
    EXPECT_NEAR((back(View::front, Vec3::UnitY()) - Vec3::UnitZ()).norm(), 0, 1e-12);
    EXPECT_NEAR((back(View::side, Vec3::UnitY()) - Vec3::UnitX()).norm(), 0, 1e-12);
    EXPECT_NEAR((back(View::top, Vec3::UnitY()) - Vec3::UnitY()).norm(), 0, 1e-12);
    EXPECT_NEAR((back(View::front, Vec3(0, 0, 9.81)) + Vec3::UnitY()).norm(), 0, 1e-12);
    EXPECT_NEAR((back(View::side, Vec3(0, 0, 9.81)) - Vec3::UnitX()).norm(), 0, 1e-12);
    for (const Vec3& up : {Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(-1, 0, 0), Vec3(1, 2, 3)}) {
        EXPECT_GT(back(View::three_quarter, up).dot(up), 0.3 * up.norm());
    }
}

TEST(Framing, KeepsTheWorldsUpInThePicturesUp)
{
    const std::vector<Vec3> points{Vec3(-1, -1, -1), Vec3(1, 1, 1)};
    for (const Vec3& up : {Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(-1, 0, 0), Vec3(1, 2, 3)}) {
        for (const View view : {View::three_quarter, View::front, View::side}) {
            const Camera camera = framing(points, {.view = view, .up = up});
            const Projection low = camera.project(-0.1 * up), high = camera.project(0.1 * up);
            EXPECT_GT(high.y, low.y);
            EXPECT_NEAR(camera.right.dot(up), 0, 1e-12);
        }
    }
}

TEST(Framing, OfNothingOrOnePlaceIsACubeOfOneMetre)
{
    EXPECT_EQ(framing(std::vector<Vec3>{}).reach, 1);
    const Camera camera = framing(std::vector<Vec3>{Vec3(5, 5, 5), Vec3(5, 5, 5)});
    EXPECT_EQ(camera.target, Vec3(5, 5, 5));
    EXPECT_LT(std::abs(camera.project(Vec3(5.5, 5.5, 5.5)).y), 1);
    EXPECT_GT(std::abs(camera.project(Vec3(5, 7, 5)).y), 1);
}

TEST(Framing, HoldsHugeAndTinyScenes)
{
    for (const double size : {1e308, 1e200, 1e-100, 1e-285, 4e-320}) {
        const std::vector<Vec3> points{size * Vec3(-1, -1, -1), size * Vec3(1, 0.5, 1), size * Vec3(0, 1, 0)};
        const auto [x, y] = extent(framing(points), points);
        EXPECT_LE(std::max(x, y), 1) << size;
    }
}

TEST(Framing, RefusesWhatCannotBeFramed)
{
    const std::vector<Vec3> points{Vec3(0, 0, 0), Vec3(1, 1, 1)};
    EXPECT_THROW(framing(points, {.up = Vec3::Zero()}), InputError);
    EXPECT_THROW(framing(points, {.direction = Vec3::Zero()}), InputError);
    EXPECT_THROW(framing(points, {.field_of_view = 0}), InputError);
    EXPECT_THROW(framing(points, {.field_of_view = std::numeric_limits<double>::quiet_NaN()}), InputError);
    EXPECT_THROW(framing(points, {.margin = 0.5}), InputError);
    EXPECT_THROW(framing(std::vector<Vec3>{Vec3(0, HUGE_VAL, 0)}), InputError);
}

TEST(View, IsFoundByItsName)
{
    for (const std::string& name : view_names()) EXPECT_NO_THROW(view_named(name));
    EXPECT_EQ(view_named("side"), View::side);
    EXPECT_THROW(view_named("Side"), InputError);
}

} // namespace
} // namespace rubato
