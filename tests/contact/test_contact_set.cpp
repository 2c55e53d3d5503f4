#include "contact/contact_set.hpp"
#include "contact/shapes.hpp"
#include "geometry/ccd.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace rubato {
namespace {

using test::ball;
using test::SceneOfParts;

constexpr double set_dhat = 0.05;

/// Two balls next to each other over the ground.
SceneOfParts two_balls()
{
    SceneOfParts parts;
    parts.add_mesh(ball(4));
    parts.add_mesh(ball(5), Vec3(2.02, 0.1, 0));
    const Index ground = parts.surface.add_part({.name = "ground"});
    parts.surface.half_spaces.push_back({.point = Vec3(0, -1.02, 0), .normal = Vec3::UnitY(), .part = ground});
    return parts;
}

std::unique_ptr<ContactSet> contacts_of(const SceneOfParts& parts)
{
    return std::make_unique<ContactSet>(
        parts.surface, PairRules(parts.surface.parts.size(), {.touch = true, .friction = 0}), set_dhat, parts.X);
}

TEST(ContactSet, KnowsWhatHasMovedSinceItWasLastAsked)
{
    std::mt19937 random(1);
    const SceneOfParts parts = two_balls();
    const auto contacts = contacts_of(parts);
    Vector x = parts.X;
    contacts->update(x);
    std::size_t fewest = contacts->pairs().size(), most = fewest;
    for (int trial = 0; trial < 200; ++trial) {
        // Few nodes or all, by little or by more than the slack.
        const Vector way = test::random_vector(static_cast<Index>(x.size()), trial % 10 == 9 ? 0.06 : 0.01, random);
        for (Index i = 0; i < x.size() / 3; ++i) {
            if (trial % 5 == 0 || random() % 20 == 0) node(x, i) = node(parts.X, i) + node(way, i);
        }
        contacts->update(x);
        const auto anew = contacts_of(parts);
        anew->update(x);
        ASSERT_EQ(contacts->pairs().size(), anew->pairs().size()) << "trial " << trial;
        for (std::size_t k = 0; k < anew->pairs().size(); ++k) {
            const ContactPair &a = contacts->pairs()[k], &b = anew->pairs()[k];
            ASSERT_EQ(a.kind, b.kind);
            ASSERT_EQ(a.node, b.node);
            ASSERT_EQ(a.at.d2, b.at.d2);
            ASSERT_EQ(a.weight, b.weight);
        }
        ASSERT_EQ(contacts->planes().size(), anew->planes().size());
        fewest = std::min(fewest, anew->pairs().size());
        most = std::max(most, anew->pairs().size());
    }
    EXPECT_GT(most, fewest + 10) << "nothing came or went";
}

TEST(ContactSet, CapsShortStepsAsIfItHadSearchedForThem)
{
    std::mt19937 random(2);
    const SceneOfParts parts = two_balls();
    int capped = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Vector x = parts.X + test::random_vector(static_cast<Index>(parts.X.size()), 0.004, random);
        Vector p = test::random_vector(static_cast<Index>(parts.X.size()), 0.045, random);
        if (trial % 3 == 0) {
            for (Index i = 0; i < p.size() / 3; ++i) {
                if (random() % 8 != 0) node(p, i).setZero();
            }
        }
        const auto knows = contacts_of(parts), searches = contacts_of(parts);
        knows->update(x);
        const double cap = knows->max_step(x, p);
        EXPECT_EQ(cap, searches->max_step(x, p)) << "trial " << trial;
        capped += cap <= 1 ? 1 : 0;
    }
    EXPECT_GT(capped, 30);
    EXPECT_LT(capped, 300);
}

/// A ball that flies, turns and is squeezed flat, so that its own sides meet: what is known of it from before must not
/// make a difference.
TEST(ContactSet, RemembersPairsOfAPartOnlyAsLongAsItKeepsItsShape)
{
    SceneOfParts parts;
    parts.add_mesh(ball(5));
    parts.add_mesh(ball(3), Vec3(0, 5, 0));
    const auto contacts = contacts_of(parts);
    std::size_t most = 0;
    int capped = 0;
    Vector before = parts.X;
    for (int step = 0; step <= 120; ++step) {
        const double t = step / 40.0, height = std::max(0.002, std::abs(1 - t)); // flat at t = 1, itself again at 2
        const double flight = step % 3 == 0 ? 0.7 * t : 0.7 * t + 0.01;
        const Eigen::AngleAxisd turn(0.4 * t * t, Vec3(1, 2, 3).normalized());
        Vector x = parts.X;
        for (Index i = 0; i < x.size() / 3; ++i) {
            Vec3 at = node(parts.X, i);
            if (at[1] > 3) continue; // the other one stays
            at[1] *= step % 2 == 0 ? height : height * 1.001;
            node(x, i) = turn * at + Vec3(flight, 0.3 * t, 0);
        }
        const auto anew = contacts_of(parts);
        if (step > 0) {
            const double cap = contacts->max_step(before, x - before);
            EXPECT_EQ(cap, anew->max_step(before, x - before)) << "step " << step;
            capped += cap <= 1 ? 1 : 0;
        }
        contacts->update(x);
        anew->update(x);
        ASSERT_EQ(contacts->pairs().size(), anew->pairs().size()) << "step " << step;
        for (std::size_t k = 0; k < anew->pairs().size(); ++k) {
            ASSERT_EQ(contacts->pairs()[k].node, anew->pairs()[k].node);
            ASSERT_EQ(contacts->pairs()[k].at.d2, anew->pairs()[k].at.d2);
        }
        most = std::max(most, anew->pairs().size());
        before = x;
    }
    EXPECT_GT(most, 50u) << "its sides never met";
    EXPECT_GT(capped, 0);
}

/// Nine balls side by side, across a diagonal of space. Boxes around long ways along it hold all of them, although
/// nothing meets where ways are parallel.
TEST(ContactSet, CapsALongWayGonePieceByPieceAsIfItWereGoneAtOnce)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    const Vec3 diagonal = Vec3(1, 1, 1).normalized(), across = Vec3(1, -1, 0).normalized();
    SceneOfParts parts;
    for (int k = 0; k < 9; ++k) {
        parts.add_mesh(ball(2), 2.4 * (k % 3 * across + k / 3 * diagonal.cross(across)));
    }
    const auto of_ball = static_cast<Index>(parts.X.size() / 27);
    const PairRules rules(parts.surface.parts.size(), {.touch = true, .friction = 0});
    int met = 0, free = 0, long_ways = 0;
    for (int trial = 0; trial < 12; ++trial) {
        Vector p(parts.X.size());
        for (int k = 0; k < 9; ++k) {
            const Vec3 anywhere = 40 * Vec3(number(random), number(random), number(random));
            const Vec3 way = trial % 2 == 0 ? Vec3(diagonal.dot(anywhere) * diagonal) : anywhere;
            for (Index i = k * of_ball; i < (k + 1) * of_ball; ++i) node(p, i) = way;
        }
        NearbyPairs nearby(parts.surface, rules, set_dhat, parts.X);
        constexpr double kept = 0.1; // as contact_set.cpp has it
        std::vector<PairShape> all;
        constexpr std::size_t many = 20000; // beyond what a piece may have here
        long_ways += nearby.on_the_way(parts.X, p, kept * set_dhat, many, all) ? 0 : 1;
        nearby.on_the_way(parts.X, p, kept * set_dhat * (1 + 1e-6), std::numeric_limits<std::size_t>::max(), all);
        double first = std::numeric_limits<double>::infinity();
        for (const PairShape& shape : all) {
            const double t = time_of_impact(
                shape.kind, corners_of(shape, parts.X), corners_of(shape, p), shape.offset, kept, set_dhat);
            if (t <= 1) first = std::min(first, t);
        }
        EXPECT_EQ(contacts_of(parts)->max_step(parts.X, p), first) << "trial " << trial;
        (first <= 1 ? met : free) += 1;
    }
    EXPECT_GE(met, 4);
    EXPECT_GE(free, 4);
    EXPECT_GE(long_ways, 4) << "no way had to be cut";
}

} // namespace
} // namespace rubato
