#include "base/errors.hpp"
#include "picture/beads.hpp"
#include "picture/render.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace rubato {
namespace {

/// Volume inside outward triangles.
double volume(const PictureBody& body)
{
    double sum = 0;
    for (const auto& [i, j, k] : body.triangles) {
        const auto x = [&](Index n) -> const Vec3& { return body.positions[static_cast<std::size_t>(n)]; };
        sum += x(i).dot(x(j).cross(x(k))) / 6;
    }
    return sum;
}

TEST(Beads, AreClosedOutwardBalls)
{
    const double ball = 4 * std::numbers::pi / 3 * 0.008;
    const double found = volume(beads({Vec3(1, 2, 3), Vec3(-4, 0, 1)}, 0.2));
    EXPECT_LT(found, 2 * ball);
    EXPECT_GT(found, 0.85 * 2 * ball);
    EXPECT_TRUE(beads({Vec3::Zero()}, 0).triangles.empty());
}

TEST(Rods, AreClosedOutwardPrisms)
{
    const std::vector<Vec3> points{Vec3(0, 0, 0), Vec3(3, 0, 4), Vec3(3, 0, 4)};
    const double section = 6 * std::sin(std::numbers::pi / 6) * 0.01; // regular dodecagon
    EXPECT_NEAR(volume(rods(points, {{0, 1}}, 0.1)), 5 * section, 1e-12);
    EXPECT_NEAR(volume(rods(points, {{1, 0}, {1, 2}}, 0.1)), 5 * section, 1e-12); // the second has no length
    EXPECT_THROW(rods(points, {{0, 3}}, 0.1), InputError);
}

TEST(Beads, ShowParticlesInAPicture)
{
    const PictureOptions options{.width = 64, .height = 48, .ground = false};
    const Image none = picture_of(std::vector<PictureBody>{}, options);
    EXPECT_NE(picture_of({beads({Vec3::Zero()}, 0.1)}, options).pixels, none.pixels);
}

} // namespace
} // namespace rubato
