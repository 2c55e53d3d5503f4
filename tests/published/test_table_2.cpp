#include "lab/published_entries.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

TEST(Table2, IsReproducedAtAllFourSteps)
{
    const Reproduced result = table_2();
    int asked = 0;
    for (const PublishedRow& row : result.rows) {
        EXPECT_TRUE(row.holds()) << row.what << ": " << row.ours << ", printed " << row.published.value_or(0);
        asked += row.bound != Bound::none ? 1 : 0;
    }
    EXPECT_EQ(asked, 35); // of 36 undamped entries
}

} // namespace
} // namespace rubato
