#include "contact/crossing.hpp"
#include "contact_scenes/segments_and_triangles.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <random>

namespace rubato {
namespace {

using Five = std::array<Vec3, 5>; ///< ends of a segment, corners of a triangle

bool meets(const Five& x) { return segment_meets_triangle(x[0], x[1], x[2], x[3], x[4]); }

bool meets_by_axes(const Five& x)
{
    using test::checker::Point;
    std::array<Point, 5> y;
    for (int k = 0; k < 5; ++k) y[k] = x[k].cast<long double>();
    return test::checker::segment_meets_triangle(y[0], y[1], {y[2], y[3], y[4]});
}

TEST(SegmentMeetsTriangle, AgreesWithSeparatingAxesOnALattice)
{
    // Few places, so that most of 2e5 cases touch, lie in one plane or in one line, or have no length or area.
    std::mt19937 random(1);
    for (const int places : {2, 3, 5}) {
        std::uniform_int_distribution<int> place(0, places - 1);
        int met = 0;
        const int cases = 70'000;
        for (int i = 0; i < cases; ++i) {
            Five x;
            for (Vec3& p : x) p = Vec3(place(random), place(random), place(random));
            if (i % 3 == 0) {
                for (Vec3& p : x) p[2] = 0; // all in one plane
            }
            ASSERT_EQ(meets(x), meets_by_axes(x))
                << x[0].transpose() << "; " << x[1].transpose() << "; " << x[2].transpose() << "; " << x[3].transpose()
                << "; " << x[4].transpose();
            met += meets(x);
        }
        EXPECT_GT(met, cases / 20);
        EXPECT_LT(met, cases - cases / 20);
    }
}

TEST(SegmentMeetsTriangle, AgreesWithSeparatingAxesAnywhere)
{
    std::mt19937 random(2);
    std::uniform_real_distribution<double> number(-1, 1);
    int met = 0;
    for (int i = 0; i < 100'000; ++i) {
        Five x;
        for (Vec3& p : x) p = Vec3(number(random), number(random), number(random));
        ASSERT_EQ(meets(x), meets_by_axes(x));
        met += meets(x);
    }
    EXPECT_GT(met, 5000);
}

TEST(SegmentMeetsTriangle, SeesPokesDownToTheLastDigit)
{
    const Vec3 a(0.1, 0.2, 0.3), b(1.7, 0.4, 0.3), c(0.4, 1.9, 0.3);
    const Vec3 from(0.5, 0.5, 2);
    const double plane = 0.3;
    EXPECT_TRUE(segment_meets_triangle(from, {0.6, 0.5, plane}, a, b, c));
    EXPECT_TRUE(segment_meets_triangle(from, {0.6, 0.5, std::nextafter(plane, 0)}, a, b, c));
    EXPECT_FALSE(segment_meets_triangle(from, {0.6, 0.5, std::nextafter(plane, 1)}, a, b, c));
}

TEST(Orientation, ChangesSignWithEverySwapEvenOfPointsInOnePlane)
{
    // Around four points of a plane, coordinates vary by last digits: most determinants are far below their rounding.
    std::mt19937 random(3);
    std::uniform_int_distribution<int> digits(-2, 2);
    const std::array<Vec3, 4> plane = {Vec3(0.1, 0.1, 0.1), Vec3(12, 12, 12), Vec3(24, 24, 24.3), Vec3(0.5, 0.5, 3)};
    int zero = 0, differ = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::array<Vec3, 4> x = plane;
        for (Vec3& p : x) {
            for (double& coordinate : p) coordinate += digits(random) * 0x1p-53 * 4;
        }
        const int sign = orientation(x[0], x[1], x[2], x[3]);
        ASSERT_EQ(orientation(x[1], x[0], x[2], x[3]), -sign);
        ASSERT_EQ(orientation(x[0], x[2], x[1], x[3]), -sign);
        ASSERT_EQ(orientation(x[0], x[1], x[3], x[2]), -sign);
        ASSERT_EQ(orientation(x[3], x[1], x[2], x[0]), -sign);
        ASSERT_EQ(orientation(x[2], x[3], x[0], x[1]), sign);
        const double rounded = (x[1] - x[0]).dot((x[2] - x[0]).cross(x[3] - x[0]));
        differ += (rounded > 0) - (rounded < 0) != sign;
        zero += sign == 0;
    }
    EXPECT_GT(zero, 100);
    EXPECT_LT(zero, 10'000);
    EXPECT_GT(differ, 100) << "plain arithmetic would have done";
}

TEST(MeetingPlace, IsOnBoth)
{
    const Vec3 place = meeting_place({0.2, 0.2, -1}, {0.2, 0.2, 3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    EXPECT_LT((place - Vec3(0.2, 0.2, 0)).norm(), 1e-15);
}

} // namespace
} // namespace rubato
