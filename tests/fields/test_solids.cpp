#include "base/errors.hpp"
#include "fields/places.hpp"
#include "geometry/fields/solid_catalog.hpp"
#include "geometry/fields/solids.hpp"

#include <gtest/gtest.h>

using namespace rubato;

namespace {

/// Catalog entries with options other than the defaults, too.
std::vector<std::pair<const SolidEntry*, Options>> variants()
{
    std::vector<std::pair<const SolidEntry*, Options>> all;
    for (const SolidEntry& entry : solid_catalog()) {
        all.emplace_back(&entry, defaults(entry.options));
        Options other = defaults(entry.options);
        if (entry.name == "cylinder") other.set("height", 0.3);
        if (entry.name == "rounded-cube") {
            other.set("size", Vec3(0.5, 2, 1));
            other.set("edge_radius", 0.0);
        }
        if (entry.name == "chain-link") other.set("straight", 0.0);
        if (entry.name == "stairs") {
            other.set("steps", 7);
            other.set("rise", 0.1);
        }
        if (entry.name == "bowl") other.set("rim", std::string("flat"));
        all.emplace_back(&entry, other);
    }
    return all;
}

std::string mistaken_key(const char* solid, const std::string& option, const OptionValue& value)
{
    for (const SolidEntry& entry : solid_catalog()) {
        if (entry.name != solid) continue;
        Options options = defaults(entry.options);
        options.set(option, value);
        try {
            entry.make(options);
        } catch (const InputError& e) {
            return e.mistakes().front().key;
        }
    }
    return "none";
}

} // namespace

TEST(Solids, EncloseTheVolumeTheyState)
{
    for (const auto& [entry, options] : variants()) {
        const double exact = entry->volume(options);
        EXPECT_NEAR(sampled_volume(*entry->make(options), 80), exact, 0.015 * exact) << entry->name;
    }
}

TEST(Solids, AreNoSteeperThanADistanceAndFallOneToOne)
{
    constexpr double step = 1e-6;
    for (const auto& [entry, options] : variants()) {
        const auto field = entry->make(options);
        EXPECT_EQ(field->steepness(), 1);
        int creased = 0;
        const std::vector<Vec3> points = places(field->bounds(), 3000, 1.5);
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            const Vec3& p = points[i];
            ASSERT_LE(std::abs(field->value(p) - field->value(points[i + 1])), (p - points[i + 1]).norm() + 1e-12)
                << entry->name;
            Vec3 g;
            for (int axis = 0; axis < 3; ++axis) {
                const Vec3 h = step * Vec3::Unit(axis);
                g[axis] = (field->value(p + h) - field->value(p - h)) / (2 * step);
            }
            creased += std::abs(g.norm() - 1) > 1e-4; // the middle of the body, where sides are equally far
        }
        EXPECT_LE(creased, 30) << entry->name;
    }
}

TEST(Solids, GiveTheDistanceToTheirSurface)
{
    // Going down the gradient by the value leads to the surface, and nothing nearer was passed: both together with the
    // bound on the slope make the value the distance.
    for (const auto& [entry, options] : variants()) {
        const auto field = entry->make(options);
        int missed = 0;
        for (const Vec3& p : places(field->bounds(), 1000, 1.5, 2)) {
            const double d = field->value(p);
            Vec3 g;
            for (int axis = 0; axis < 3; ++axis) {
                const Vec3 h = 1e-6 * Vec3::Unit(axis);
                g[axis] = (field->value(p + h) - field->value(p - h)) / 2e-6;
            }
            missed += std::abs(field->value(p - d * g)) > 1e-4;
        }
        EXPECT_LE(missed, 10) << entry->name;
    }
}

TEST(Solids, TouchEverySideOfTheirBounds)
{
    for (const auto& [entry, options] : variants()) {
        const auto field = entry->make(options);
        const Bounds box = field->bounds();
        EXPECT_LT(box.center().norm(), 1e-12) << entry->name;
        for (int axis = 0; axis < 3; ++axis) {
            for (const double side : {-1.0, 1.0}) {
                double least = 1e9;
                for (Vec3 p : places(box, 40000)) {
                    p[axis] = side * box.high[axis];
                    least = std::min(least, field->value(p));
                }
                EXPECT_GE(least, -1e-12) << entry->name << " axis " << axis;
                EXPECT_LT(least, 2e-3) << entry->name << " axis " << axis;
            }
        }
    }
}

TEST(Solids, KnowSomeDistancesByHeart)
{
    const Cylinder cylinder{.radius = 1, .height = 2};
    EXPECT_DOUBLE_EQ(cylinder.value({4, 5, 0}), 5); // to the rim
    EXPECT_DOUBLE_EQ(cylinder.value({0, 0.75, 0}), -0.25);
    const Torus torus{.radius = 2, .tube = 0.5};
    EXPECT_DOUBLE_EQ(torus.value({0, 0, 0}), 1.5);
    EXPECT_DOUBLE_EQ(torus.value({5, 4, 0}), 4.5);
    const RoundedBox box{.size = {2, 2, 2}, .edge_radius = 0};
    EXPECT_DOUBLE_EQ(box.value({4, 5, 1}), 5);
    const RoundedBox rounded{.size = {2, 2, 2}, .edge_radius = 0.5};
    EXPECT_DOUBLE_EQ(rounded.value({3.5, 4.5, 0}), 4.5);
    const ChainLink link{.bend_radius = 1, .straight = 2, .wire = 0.25};
    EXPECT_DOUBLE_EQ(link.value({0, 0, 0}), 0.75);
    EXPECT_DOUBLE_EQ(link.value({0, 2, 0}), -0.25);
    EXPECT_DOUBLE_EQ(link.value({1, 0.5, 0.5}), 0.25);
    const Stairs stairs{.steps = 2, .rise = 1, .run = 2, .width = 4};
    EXPECT_DOUBLE_EQ(stairs.value({-1, 0.5, 0}), 0.5); // over the lower tread
    EXPECT_DOUBLE_EQ(stairs.value({-0.25, -0.25, 0}), -0.25); // inside, below the first tread
    EXPECT_DOUBLE_EQ(stairs.value({-5, -1, 5}), std::hypot(3, 3));
    const Bowl bowl{.radius = 1, .thickness = 0.2, .round_rim = false}; // the rim is at y = 0.5, the bottom at -0.5
    EXPECT_NEAR(bowl.value({0, -0.5, 0}), 0, 1e-15);
    EXPECT_NEAR(bowl.value({0, 0.5, 0}), 0.8, 1e-15);
    EXPECT_NEAR(bowl.value({0.9, 0.45, 0}), -0.05, 1e-15);
    EXPECT_NEAR(bowl.value({0.9, 0.8, 0}), 0.3, 1e-15);
}

TEST(Solids, RefuseOptionsThatDoNotFitTogether)
{
    EXPECT_EQ(mistaken_key("ball", "radius", -1.0), "radius");
    EXPECT_EQ(mistaken_key("ball", "radius", std::nan("")), "radius");
    EXPECT_EQ(mistaken_key("cylinder", "height", 0.0), "height");
    EXPECT_EQ(mistaken_key("torus", "tube", 0.35), "tube");
    EXPECT_EQ(mistaken_key("rounded-cube", "edge_radius", 0.51), "edge_radius");
    EXPECT_EQ(mistaken_key("rounded-cube", "size", Vec3(1, 0, 1)), "size");
    EXPECT_EQ(mistaken_key("chain-link", "wire", 0.4), "wire");
    EXPECT_EQ(mistaken_key("stairs", "steps", 0), "steps");
    EXPECT_EQ(mistaken_key("bowl", "thickness", 0.5), "thickness");
    EXPECT_EQ(mistaken_key("bowl", "thickness", 0.49), "none");
}
