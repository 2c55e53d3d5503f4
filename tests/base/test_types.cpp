#include "base/types.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace rubato;

TEST(Node, ReadsAndWritesItsThreeUnknowns)
{
    Vector x = Vector::LinSpaced(9, 0, 8);
    EXPECT_EQ(Vec3(node(x, 1)), Vec3(3, 4, 5));
    node(x, 2) = Vec3(-1, -2, -3);
    EXPECT_EQ(x[6], -1);
    EXPECT_EQ(x[8], -3);
    EXPECT_EQ(x[5], 5);
}

TEST(LargestNodalNorm, IsTheLongestBlockNotTheLongestEntry)
{
    Vector x(6);
    x << 3, 0, 0, 2, 2, 2; // lengths 3 and sqrt 12
    EXPECT_DOUBLE_EQ(largest_nodal_norm(x), std::sqrt(12.0));
    EXPECT_EQ(largest_nodal_norm(Vector()), 0);
}

TEST(LargestNodalNorm, ShowsANanWhereverItStands)
{
    for (int i = 0; i < 9; ++i) {
        Vector x = Vector::Constant(9, 2);
        x[i] = std::nan("");
        EXPECT_TRUE(std::isnan(largest_nodal_norm(x))) << i;
    }
}
