#include "geometry/inversion.hpp"

#include <gtest/gtest.h>

namespace rubato {

TEST(Inversion, CountsTurnedAndFlatTetrahedraAndNoOthers)
{
    const std::vector<Tet> tets{{0, 1, 2, 3}, {0, 1, 2, 4}};
    Vector x(15);
    x << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2;
    EXPECT_EQ(inverted_tets(tets, x), 0);
    x[14] = -1; // through the base
    EXPECT_EQ(inverted_tets(tets, x), 1);
    x[11] = 0; // into the base
    EXPECT_EQ(inverted_tets(tets, x), 2);
    EXPECT_EQ(inverted_tets(tets, Vector::Zero(15)), 2);
}

} // namespace rubato
