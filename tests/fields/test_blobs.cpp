#include "base/errors.hpp"
#include "fields/places.hpp"
#include "geometry/fields/blobs.hpp"

#include <gtest/gtest.h>

using namespace rubato;

namespace {

struct Body {
    const char* file;
    double volume; ///< [m^3]
    Vec3 size; ///< of its bounding box [m]
};
const std::vector<Body> bodies = {
    {"hippo", 0.9923, {0.91, 1.10, 2.43}},
    {"gummy-bear", 0.1082, {0.568, 0.966, 0.585}},
    {"octopus", 0.3055, {1.94, 0.968, 1.94}},
    {"jellyfish", 0.3919, {1.10, 1.56, 1.11}},
    {"bunny", 0.1696, {0.594, 0.99, 1.04}},
};

BlobField body(const std::string& name)
{
    return read_blobs(std::string(RUBATO_SOURCE_DIR) + "/bodies/" + name + ".blobs");
}

Mistake mistake(const std::string& text)
{
    try {
        blobs_from_bytes(text, "a.blobs");
    } catch (const InputError& e) {
        return e.mistakes().front();
    }
    return {};
}

/// The definition, without leaving anything out.
double plain_value(const BlobField& field, const Vec3& p)
{
    auto smooth_min = [](double d, double e, double k) {
        const double h = std::max(k - std::abs(d - e), 0.0);
        return std::min(d, e) - (k > 0 ? h * h / (4 * k) : 0);
    };
    double d = 0;
    for (const Blob& blob : field.blobs()) {
        const double e = std::visit([&](const auto& shape) { return shape.value(p); }, blob.shape);
        if (&blob == &field.blobs().front()) {
            d = e;
        } else if (blob.role == Blob::Role::add) {
            d = smooth_min(d, e, blob.blend);
        } else {
            d = -smooth_min(-d, blob.role == Blob::Role::carve ? e : -e, blob.blend);
        }
    }
    return d;
}

} // namespace

TEST(BlobBodies, HaveTheirVolumeAndSize)
{
    for (const auto& [name, volume, size] : bodies) {
        const BlobField field = body(name);
        EXPECT_NEAR(sampled_volume(field, 64), volume, 0.003 * volume) << name;
        Bounds box{Vec3::Constant(1e9), Vec3::Constant(-1e9)};
        for (const Vec3& p : places(field.bounds(), 200000)) {
            if (field.value(p) >= 0) continue;
            box = {box.low.cwiseMin(p), box.high.cwiseMax(p)};
        }
        EXPECT_LT((box.size() - size).cwiseAbs().maxCoeff(), 0.03) << name << ": " << box.size().transpose();
        EXPECT_LT((field.bounds().size() - box.size()).maxCoeff(), 0.06 * size.maxCoeff()) << name;
    }
}

TEST(BlobBodies, LieWithinTheirBounds)
{
    for (const auto& [name, volume, size] : bodies) {
        const BlobField field = body(name);
        const Bounds box = field.bounds();
        for (const Vec3& p : places(box, 100000, 1.4)) {
            const bool inside_box = (p.array() >= box.low.array()).all() && (p.array() <= box.high.array()).all();
            ASSERT_TRUE(inside_box || field.value(p) > 0) << name;
        }
    }
}

TEST(BlobBodies, AreNoSteeperThanTheySay)
{
    for (const auto& [name, volume, size] : bodies) {
        const BlobField field = body(name);
        double steepest = 0;
        const std::vector<Vec3> points = places(field.bounds(), 50000, 1.3);
        const std::vector<Vec3> directions = places({Vec3::Constant(-1), Vec3::Constant(1)}, 50000, 1, 3);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vec3 q = points[i] + 1e-4 * directions[i].normalized();
            steepest = std::max(steepest, std::abs(field.value(q) - field.value(points[i])) / 1e-4);
        }
        EXPECT_LE(steepest, field.steepness() + 1e-9) << name;
        EXPECT_GT(steepest, 0.9) << name;
    }
}

TEST(BlobBodies, LeaveNothingOutThatCounts)
{
    for (const auto& [name, volume, size] : bodies) {
        const BlobField field = body(name);
        for (const Vec3& p : places(field.bounds(), 5000, 1.5)) ASSERT_DOUBLE_EQ(field.value(p), plain_value(field, p));
    }
}

TEST(Ellipsoid, KeepsItsLipschitzBoundAndNearlyReachesIt)
{
    for (const Vec3& radii : {Vec3(1, 1, 1), Vec3(1, 2, 1), Vec3(0.1, 0.23, 0.24), Vec3(0.3, 1, 3), Vec3(5, 1, 1.1)}) {
        const Ellipsoid ellipsoid{Vec3(0.1, 0.2, 0.3), radii};
        const double bound = ellipsoid.lipschitz();
        const Bounds box{ellipsoid.center - 4 * radii, ellipsoid.center + 4 * radii};
        double steepest = 0;
        double widest = 0;
        for (const double widening : {0.3, 1.0, 10.0, 1000.0}) {
            const std::vector<Vec3> points = places(box, 40000, widening, 5);
            for (std::size_t i = 0; i + 1 < points.size(); ++i) {
                const Vec3& p = points[i];
                Vec3 g;
                for (int axis = 0; axis < 3; ++axis) {
                    const Vec3 h = 1e-6 * widening * Vec3::Unit(axis);
                    g[axis] = (ellipsoid.value(p + h) - ellipsoid.value(p - h)) / (2 * h.norm());
                }
                steepest = std::max(steepest, g.norm());
                widest = std::max(
                    widest, std::abs(ellipsoid.value(p) - ellipsoid.value(points[i + 1])) / (p - points[i + 1]).norm());
            }
        }
        // A central difference across a crease may be off by a little.
        EXPECT_LE(steepest, bound * (1 + 1e-6)) << radii.transpose();
        EXPECT_LE(widest, bound + 1e-9) << radii.transpose();
        EXPECT_GT(steepest, 0.97 * bound) << radii.transpose();
    }
    EXPECT_DOUBLE_EQ((Ellipsoid{Vec3::Zero(), Vec3::Ones()}.lipschitz()), 1);
}

TEST(Ellipsoid, GrowsOutsideItsBallAsStated)
{
    for (const Vec3& radii : {Vec3(1, 2, 1), Vec3(0.3, 1, 3), Vec3(5, 1, 1.1)}) {
        const Ellipsoid ellipsoid{Vec3(0.1, 0.2, 0.3), radii};
        const BoundingBall ball = ellipsoid.ball();
        for (const Vec3& p : places({ellipsoid.center - 4 * radii, ellipsoid.center + 4 * radii}, 20000, 3)) {
            const double beyond = (p - ball.center).norm() - ball.radius;
            ASSERT_TRUE(beyond < 0 || ellipsoid.value(p) >= ball.pace * beyond - 1e-12);
        }
    }
}

TEST(Ellipsoid, IsExactForABallAndReachesItsSmallestRadiusInTheMiddle)
{
    const Ellipsoid ball{Vec3::Zero(), Vec3::Constant(2)};
    for (const Vec3& p : places({Vec3::Constant(-3), Vec3::Constant(3)}, 100))
        EXPECT_NEAR(ball.value(p), p.norm() - 2, 1e-12);
    EXPECT_DOUBLE_EQ((Ellipsoid{Vec3::UnitX(), {1, 2, 3}}.value(Vec3::UnitX())), -1);
}

TEST(TaperedCapsule, KeepsItsLipschitzBound)
{
    const TaperedCapsule capsule{{0, 0, 0}, {1, 1, 0}, 0.9, 0.2};
    EXPECT_DOUBLE_EQ(capsule.lipschitz(), std::hypot(1, 0.7 / std::sqrt(2)));
    const std::vector<Vec3> points = places({Vec3::Constant(-2), Vec3::Constant(3)}, 20000);
    double steepest = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const double slope
            = std::abs(capsule.value(points[i]) - capsule.value(points[i + 1])) / (points[i] - points[i + 1]).norm();
        steepest = std::max(steepest, slope);
    }
    EXPECT_LE(steepest, capsule.lipschitz() + 1e-12);
    EXPECT_GT(steepest, 1);
    EXPECT_DOUBLE_EQ(capsule.value({1, 1, 2}), 1.8);
    EXPECT_DOUBLE_EQ(capsule.value({-3, 0, 0}), 2.1);
}

TEST(Blobs, JoinCarveAndKeep)
{
    const BlobField field = blobs_from_bytes("# two boxes, a hole, and the lower half of all\n"
                                             "box center 0 0 0 half 1 1 1\n"
                                             "box center 1.5 0 0 half 1 1 1 round 0.25 blend 0  # beside it\r\n"
                                             "carve ellipsoid center 0 0 0 radii 0.5 0.5 0.5\n"
                                             "\n"
                                             "keep half-space normal 0 -2 0 offset -0.5\n",
        "a.blobs");
    EXPECT_EQ(field.blobs().size(), 4U);
    EXPECT_DOUBLE_EQ(field.value({0, 0, 0}), 0.5); // in the hole
    EXPECT_DOUBLE_EQ(field.value({2.5, 0, 0}), 0);
    EXPECT_DOUBLE_EQ(field.value({0, -2, 0}), 1);
    EXPECT_GT(field.value({0.9, 0.51, 0}), 0); // n . p >= offset is kept: y <= 1/2
    EXPECT_LT(field.value({0.9, 0.49, 0}), 0);
    EXPECT_LT(field.bounds().high.y(), 0.6);
}

TEST(Blobs, ReadATubeAsCapsulesOneAfterAnother)
{
    const BlobField tube = blobs_from_bytes("tube blend 0.1\n point 0 0 0 radius 1\n point 2 0 0 radius 0.5\n"
                                            " point 2 3 0 radius 0.25\nellipsoid center 0 0 0 radii 1 1 1 blend 0.5\n",
        "a.blobs");
    const BlobField capsules = blobs_from_bytes("capsule from 0 0 0 to 2 0 0 radii 1 0.5 blend 0.1\n"
                                                "capsule from 2 0 0 to 2 3 0 radii 0.5 0.25 blend 0.1\n"
                                                "ellipsoid center 0 0 0 radii 1 1 1 blend 0.5\n",
        "a.blobs");
    for (const Vec3& p : places(tube.bounds(), 200, 2)) EXPECT_EQ(tube.value(p), capsules.value(p));
}

TEST(Blobs, NameTheLineAndTheMistake)
{
    auto expect = [](const std::string& text, int line, const std::string& key) {
        const Mistake m = mistake(text);
        EXPECT_EQ(m.line, line) << text;
        EXPECT_EQ(m.key, key) << text << m.message;
        EXPECT_EQ(m.file, "a.blobs");
    };
    const std::string ball = "ellipsoid center 0 0 0 radii 1 1 1\n";
    expect("", 0, "blobs");
    expect("# nothing\n\n", 0, "blobs");
    expect(ball + "sphere center 0 0 0\n", 2, "keyword");
    expect("\nellipsoid center 0 0 radii 1 1 1\n", 2, "center of ellipsoid");
    expect("ellipsoid center 0 0 0 radii 1 1\n", 1, "radii of ellipsoid");
    expect("ellipsoid center 0 0 0 radii 1 0 1\n", 1, "radii of ellipsoid");
    expect("ellipsoid center 0 0 nan radii 1 1 1\n", 1, "center of ellipsoid");
    expect("ellipsoid center 0 0 1e300 radii 1 1 1\n", 1, "center of ellipsoid");
    expect(ball + "ellipsoid center 0 0 0 radii 1 1 1 blend -1\n", 2, "blend of ellipsoid");
    expect(ball + "ellipsoid center 0 0 0 radii 1 1 1 blend 1 2\n", 2, "end of line of ellipsoid");
    expect("ellipsoid radii 1 1 1 center 0 0 0\n", 1, "center of ellipsoid");
    expect("box center 0 0 0 half 1 1 1 round 2\n", 1, "round of box");
    expect("half-space normal 0 1 0 offset 0\n", 1, "half-space of half-space");
    expect(ball + "keep half-space normal 0 0 0 offset 0\n", 2, "normal of half-space");
    expect("carve " + ball, 1, "first shape");
    expect("point 0 0 0 radius 1\n", 1, "point of point");
    expect("tube\npoint 0 0 0 radius 1\n" + ball, 1, "points of tube");
    expect(ball + "keep half-space normal 0 1 0 offset 20\n", 0, "body");
}

TEST(Blobs, SurviveFilesThatAreCutOff)
{
    const std::string whole
        = "box center 0 0 0 half 1 1 1 round 0.1\ncarve capsule from 0 0 0 to 1 0 0 radii 0.2 0.1 blend "
          "0.1\nkeep half-space normal 0 1 0 offset 0.1\ntube\npoint 0 0 0 radius 1\npoint 1 0 0 radius 1\n";
    for (std::size_t n = 0; n < whole.size(); ++n) {
        try {
            blobs_from_bytes(std::string_view(whole).substr(0, n), "a.blobs");
        } catch (const InputError&) {
        }
    }
    EXPECT_EQ(blobs_from_bytes(whole, "a.blobs").blobs().size(), 4U);
}
