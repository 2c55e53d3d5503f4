#include "solvers/nonlinear/projection.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

TEST(ProjectionPolicy, ProjectsTheElementsOfTheNodesThatBendDown)
{
    ProjectionPolicy policy(true, true);
    const std::array<Index, 2> bad{1, 2}, good{3, 4};
    EXPECT_TRUE(policy.wanted().at(good)); // far from the solution: all
    policy.after_step(true, false);
    EXPECT_FALSE(policy.wanted().at(bad)); // near: none
    Vector curvature = Vector::Constant(5, 0.1);
    curvature[2] = -3;
    EXPECT_TRUE(policy.changed_after(LinearStatus::indefinite, &curvature));
    EXPECT_TRUE(policy.wanted().at(bad));
    EXPECT_FALSE(policy.wanted().at(good));
    // The same nodes again: marking them has not helped, so all are projected for a while.
    EXPECT_TRUE(policy.changed_after(LinearStatus::indefinite, &curvature));
    EXPECT_TRUE(policy.wanted().at(good));
    EXPECT_FALSE(policy.changed_after(LinearStatus::indefinite, &curvature));
    policy.after_step(true, false);
    EXPECT_TRUE(policy.wanted().at(good));
    policy.after_step(true, false);
    EXPECT_FALSE(policy.wanted().at(good));
    EXPECT_TRUE(policy.wanted().at(bad));
    // Two slow steps: another chance for all.
    policy.after_step(true, true);
    policy.after_step(true, true);
    EXPECT_FALSE(policy.wanted().at(bad));
}

TEST(ProjectionPolicy, LeavesExactHessiansToWhoeverAsksForThem)
{
    ProjectionPolicy policy(false, true);
    const Vector curvature = Vector::Constant(2, -1.0);
    EXPECT_FALSE(policy.wanted().at(Index{0}));
    EXPECT_FALSE(policy.changed_after(LinearStatus::indefinite, &curvature));
    EXPECT_FALSE(policy.wanted().at(Index{0}));
    // A factorisation that broke down leaves no choice, this once.
    EXPECT_TRUE(policy.changed_after(LinearStatus::failed, nullptr));
    EXPECT_TRUE(policy.wanted().at(Index{0}));
    EXPECT_FALSE(policy.changed_after(LinearStatus::failed, nullptr));
    policy.after_step(true, false);
    EXPECT_FALSE(policy.wanted().at(Index{0}));
}

} // namespace
} // namespace rubato
