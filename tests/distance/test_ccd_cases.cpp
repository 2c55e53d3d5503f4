#include "distance/pairs.hpp"
#include "geometry/ccd.hpp"

#include <gtest/gtest.h>

#include <limits>

/// Times of impact that are known in closed form.
namespace rubato {
namespace {

using namespace pairs;
constexpr double no_contact = std::numeric_limits<double>::infinity();
const Vec3 zero = Vec3::Zero();

/// Not later than `truth`, and earlier by `tolerance` at most.
void expect_just_before(double t, double truth, double tolerance = 1e-10)
{
    EXPECT_LE(t, truth);
    EXPECT_GE(t, truth - tolerance);
}

Corners still(const Vec3& way) { return {way, zero, zero, zero}; }

TEST(TimesOfImpact, OfAPointThatFallsOnAFace)
{
    const Corners x = {Vec3(0.2, 0.3, 1), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    const Corners p = still({0, 0, -4});
    expect_just_before(time_of_impact(PairKind::point_triangle, x, p, 0, 0), 0.25);
    expect_just_before(time_of_impact(PairKind::point_triangle, x, p, 0, 0.2), 0.2);
    expect_just_before(time_of_impact(PairKind::point_triangle, x, p, 0.6, 0), 0.1);
    expect_just_before(time_of_impact(PairKind::point_triangle, x, p, 0.6, 0.5), 0.05);
    // Half of what it was, or of 0.4 if that is less: falls from 1 to 0.2, or to 0.6 + 0.2 with a separation.
    expect_just_before(time_of_impact(PairKind::point_triangle, x, p, 0, 0.5, 0.4), 0.2);
    expect_just_before(time_of_impact(PairKind::point_triangle, x, p, 0.6, 0.5, 0.4), 0.05);
    expect_just_before(time_of_impact(PairKind::point_triangle, x, p, 0.6, 0.5, 0.2), 0.075);
    EXPECT_EQ(time_of_impact(PairKind::point_triangle, x, still({0, 0, -0.75}), 0, 0.5, 0.4), no_contact);
    EXPECT_EQ(time_of_impact(PairKind::point_triangle, x, still({0, 0, -0.9}), 0, 0.05), no_contact);
    EXPECT_EQ(time_of_impact(PairKind::point_triangle, x, still({0, 0, 4}), 0, 0), no_contact);
}

TEST(TimesOfImpact, AreZeroForPrimitivesThatAreNotApart)
{
    const Corners x = {Vec3(0.2, 0.3, 1), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    EXPECT_EQ(time_of_impact(PairKind::point_triangle, x, still({0, 0, 4}), 1, 0.1), 0);
    EXPECT_EQ(time_of_impact(PairKind::point_triangle, x, still({0, 0, 4}), 2, 0.1), 0);
    for (const PairKind kind : kinds) EXPECT_EQ(time_of_impact(kind, {zero, zero, zero, zero}, x, 0, 0.1), 0);
    const Corners crossing = {Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(0, 1, 0)};
    EXPECT_EQ(time_of_impact(PairKind::edge_edge, crossing, still({0, 0, 1}), 0, 0.1), 0);
}

TEST(TimesOfImpact, AreNeverForACommonMotionHoweverFast)
{
    Random random(1);
    for (const PairKind kind : kinds)
        for (int i = 0; i < 1000; ++i) {
            const Corners x = unit_pair(kind, Family::close, random);
            const Vec3 way = magnitude(1e9, 1, random) * in_cube(random);
            ASSERT_EQ(time_of_impact(kind, x, {way, way, way, way}, 0, 0.1), no_contact);
            ASSERT_EQ(time_of_impact(kind, x, {zero, zero, zero, zero}, 0, 0.1), no_contact);
        }
}

TEST(TimesOfImpact, AreNeverForPrimitivesThatPart)
{
    Random random(2);
    for (const PairKind kind : kinds)
        for (int i = 0; i < 10000; ++i) {
            const Corners x = unit_pair(kind, i % 2 ? Family::general : Family::close, random);
            const Nearest at = nearest(kind, x);
            if (at.d2 < 1e-18) continue;
            // Away from the plane between them, each corner at its own speed, and along it.
            const Vec3 n = at.gap.normalized();
            Corners p;
            for (int k = 0; k < 4; ++k) {
                const Vec3 along = in_cube(random);
                const double apart = random.uniform(0.01, 1) * (k < first(kind) ? 1 : -1);
                p[k] = magnitude(1e6, 1e-3, random) * (apart * n + along - n * n.dot(along));
            }
            ASSERT_EQ(time_of_impact(kind, x, p, 0, 0.9), no_contact) << name(kind) << " " << i;
        }
}

TEST(TimesOfImpact, OfMotionsOfAMillionMetres)
{
    const Corners x = {Vec3(0.2, 0.3, 1), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    expect_just_before(time_of_impact(PairKind::point_triangle, x, still({0, 0, -1e6}), 0, 0.1), 0.9e-6, 1e-15);
    // Along the face: it passes over the rim at once.
    EXPECT_EQ(time_of_impact(PairKind::point_triangle, x, still({1e6, 1e6, 0}), 0, 0.1), no_contact);
    // The face is as large as the way.
    Corners wide = x;
    wide[2] *= 1e7;
    wide[3] *= 1e7;
    EXPECT_EQ(time_of_impact(PairKind::point_triangle, wide, still({1e6, 1e6, 0}), 0, 0.1), no_contact);
    expect_just_before(time_of_impact(PairKind::point_triangle, wide, still({1e6, 1e6, -2}), 0, 0.1), 0.45, 1e-7);
}

// A point passes another at distance h; the time at which it is as near as s is (1 - sqrt(s^2 - h^2))/2.
TEST(TimesOfImpact, OfPointsThatGraze)
{
    const double h = 0.25;
    const Corners x = {Vec3(-1, h, 0), zero, zero, zero};
    const Corners p = still({2, 0, 0});
    for (double by = 1e-1; by > 1e-13; by *= 0.1) {
        const double inside = h * (1 + by), outside = h * (1 - by);
        // The reserve for round-off moves a grazing time by the root of what it is elsewhere.
        const double truth = 0.5 * (1 - std::sqrt(inside * inside - h * h));
        expect_just_before(
            time_of_impact(PairKind::point_point, x, p, inside, 0), truth, 1e-10 + 3e-14 / std::sqrt(by));
        EXPECT_EQ(time_of_impact(PairKind::point_point, x, p, outside, 0), no_contact) << by;
    }
}

TEST(TimesOfImpact, OfPointsThatGrazeFacesAndEdges)
{
    // Over a face at a height of 1 that the corner b alone is lifted to meet, at t = 1 exactly.
    const Corners x = {Vec3(-3, 0, 1), Vec3(-9, -9, 0), Vec3(9, 0, 0), Vec3(-9, 9, 0)};
    const Corners p = {Vec3(12, 0, 0), zero, Vec3(0, 0, 1), zero};
    expect_just_before(time_of_impact(PairKind::point_triangle, x, p, 0, 0), 1, 1e-6);
    // Along an edge, 1e-6 above it.
    const Corners y = {Vec3(-3, 0, 1e-6), Vec3(-9, 0, 0), Vec3(9, 0, 0), zero};
    EXPECT_EQ(time_of_impact(PairKind::point_edge, y, still({6, 0, 0}), 0, 0.99), no_contact);
    EXPECT_EQ(time_of_impact(PairKind::point_edge, y, still({6, 0, -0.9e-6}), 0, 0.05), no_contact);
    expect_just_before(time_of_impact(PairKind::point_edge, y, still({6, 0, -0.9e-6}), 0, 0.55), 0.5, 1e-6);
}

// The corners of an edge that makes half a turn go straight through its centre: at t its half length is |1 - 2t|.
TEST(TimesOfImpact, OfSpinningEdges)
{
    const Corners x = {Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(0, -1, 0.5), Vec3(0, 1, 0.5)};
    const Corners half_turn = {Vec3(2, 0, 0), Vec3(-2, 0, 0), zero, zero};
    EXPECT_EQ(time_of_impact(PairKind::edge_edge, x, half_turn, 0, 0.99), no_contact);
    const Corners falling = {Vec3(2, 0, 0), Vec3(-2, 0, 0), Vec3(0, 2, -1), Vec3(0, -2, -1)};
    expect_just_before(time_of_impact(PairKind::edge_edge, x, falling, 0, 0), 0.5);
    expect_just_before(time_of_impact(PairKind::edge_edge, x, falling, 0, 0.5), 0.25);

    // A blade turns by a right angle about z and its tip sweeps over a point beside it. Tip (1 - t, t), blade through
    // the origin: it reaches the point (0.3, 0.3) less s at the time where |0.3 (1 - 2t)| = s |tip|.
    const Corners blade = {Vec3(0.3, 0.3, 0), zero, Vec3(1, 0, 0), zero};
    const Corners sweep = {zero, zero, Vec3(-1, 1, 0), zero};
    const double s = 0.1;
    double lo = 0, hi = 0.5;
    for (int i = 0; i < 60; ++i) {
        const double t = 0.5 * (lo + hi);
        (0.3 * (1 - 2 * t) > s * std::hypot(1 - t, t) ? lo : hi) = t;
    }
    expect_just_before(time_of_impact(PairKind::point_edge, blade, sweep, s, 0), lo);
}

TEST(TimesOfImpact, InOnePlane)
{
    // A point hits the side of a triangle it lies in the plane of.
    const Corners edge_on = {Vec3(-2, 0.5, 0), Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(1, 0, 0)};
    expect_just_before(time_of_impact(PairKind::point_triangle, edge_on, still({4, 0, 0}), 0, 0), 0.5);
    // Ends of edges that cross in the plane, one in front of the other.
    const Corners crossing = {Vec3(-2, 0, 0), Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 1, 0)};
    expect_just_before(
        time_of_impact(PairKind::edge_edge, crossing, {Vec3(2, 0, 0), Vec3(2, 0, 0), zero, zero}, 0, 0), 0.5);
    // Parallel edges meet along their whole length, collinear ones with their ends.
    const Corners parallel = {Vec3(0, 1, 0), Vec3(2, 1, 0), Vec3(1, 0, 0), Vec3(3, 0, 0)};
    const Vec3 down(0, -2, 0), along(2, 0, 0);
    expect_just_before(time_of_impact(PairKind::edge_edge, parallel, {down, down, zero, zero}, 0, 0), 0.5);
    const Corners collinear = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)};
    expect_just_before(time_of_impact(PairKind::edge_edge, collinear, {along, along, zero, zero}, 0, 0.5), 0.25);
    EXPECT_EQ(time_of_impact(PairKind::edge_edge, collinear, {-along, -along, zero, zero}, 0, 0.5), no_contact);
}

TEST(TimesOfImpact, OfPrimitivesWithoutLengthOrArea)
{
    const Vec3 p(0, 0, 1), q(0, 0, 0), down(0, 0, -2);
    expect_just_before(time_of_impact(PairKind::edge_edge, {p, p, q, q}, {down, down, zero, zero}, 0, 0), 0.5);
    expect_just_before(time_of_impact(PairKind::point_triangle, {p, q, q, q}, still(down), 0, 0), 0.5);
    expect_just_before(time_of_impact(PairKind::point_edge, {p, q, q, q}, still(down), 0, 0), 0.5);
    // A triangle that is a segment; a point that grows into an edge; an edge that shrinks to a point.
    const Corners segment = {Vec3(0.5, 0, 1), q, Vec3(1, 0, 0), Vec3(0.7, 0, 0)};
    expect_just_before(time_of_impact(PairKind::point_triangle, segment, still(down), 0, 0), 0.5);
    const Corners grows = {Vec3(1, 0, 0), q, q, zero};
    expect_just_before(time_of_impact(PairKind::point_edge, grows, {zero, zero, Vec3(2, 0, 0), zero}, 0, 0), 0.5);
    const Corners shrinks = {p, Vec3(-1, 0, 0), Vec3(1, 0, 0), zero};
    expect_just_before(
        time_of_impact(PairKind::point_edge, shrinks, {down, Vec3(1, 0, 0), Vec3(-1, 0, 0), zero}, 0, 0), 0.5);
}

// As often as a step is cut at the time of impact, something of the gap is left.
TEST(TimesOfImpact, LeaveAGapHoweverOftenTheyAreUsed)
{
    Random random(3);
    for (const PairKind kind : kinds)
        for (int i = 0; i < 200; ++i) {
            Corners x = unit_pair(kind, Family::general, random);
            for (int step = 0; step < 40; ++step) {
                const double d2 = nearest(kind, x).d2;
                if (d2 < 1e-28) break;
                Corners p;
                for (int k = 0; k < 4; ++k) p[k] = 0.1 * in_cube(random);
                const Vec3 toward = nearest(kind, x).gap;
                for (int k = 0; k < first(kind); ++k) p[k] -= 2 * toward;
                const double t = time_of_impact(kind, x, p, 0, 0.1);
                ASSERT_GT(t, 0);
                const double reached = std::min(t, 1.);
                for (int k = 0; k < 4; ++k) x[k] += reached * p[k];
                ASSERT_GT(nearest(kind, x).d2, 0);
            }
        }
}

TEST(TimesOfImpact, AreZeroForValuesThatCannotBeComputedWith)
{
    const double bad = std::numeric_limits<double>::quiet_NaN();
    for (const PairKind kind : kinds)
        for (const double value : {bad, no_contact, 1e300}) {
            Corners x = {Vec3(0, 0, 1), Vec3(0.1, 0, 0), Vec3(0, 1, 0), Vec3(1, 0, 0)};
            Corners p = still({0, 0, -4});
            p[1] = Vec3(0, value, 0);
            const double t = time_of_impact(kind, x, p, 0, 0.1);
            EXPECT_EQ(t, 0) << name(kind);
            x[1] = Vec3(value, 0, bad);
            EXPECT_EQ(time_of_impact(kind, x, p, 0, 0.1), 0) << name(kind);
        }
}

} // namespace
} // namespace rubato
