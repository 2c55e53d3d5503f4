#include "potentials/batch_sums.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace rubato {
namespace {

TEST(BatchSums, NameEachPlaceOnceWithItsPartsAndShortSumsFirst)
{
    std::mt19937 random(3);
    BatchSums sums;
    std::vector<std::map<Index, std::multiset<int>>> expected;
    for (int batch = 0; batch < 40; ++batch) {
        std::vector<BatchSums::Item> items;
        std::map<Index, std::multiset<int>> parts_of;
        const int count = 1 + static_cast<int>(random() % 80); // the last batch of a body is not full
        for (int part = 0; part < count; ++part) {
            const auto place = static_cast<Index>(random() % 30);
            items.push_back({place, static_cast<std::uint8_t>(part)});
            parts_of[place].insert(part);
        }
        sums.add(items);
        expected.push_back(parts_of);
    }
    for (std::size_t b = 0; b < expected.size(); ++b) {
        const BatchSums::Batch batch = sums[static_cast<Index>(b)];
        ASSERT_EQ(static_cast<std::size_t>(batch.count), expected[b].size());
        std::map<Index, std::multiset<int>> found;
        const std::uint8_t* part = batch.parts;
        std::size_t before = 0;
        for (Index k = 0; k < batch.count; ++k) {
            std::multiset<int>& parts = found[batch.places[k]];
            EXPECT_TRUE(parts.empty()) << "place " << batch.places[k] << " comes twice";
            do parts.insert(*part & BatchSums::number);
            while ((*part++ & BatchSums::last) == 0);
            EXPECT_GE(parts.size(), before);
            before = parts.size();
        }
        EXPECT_EQ(found, expected[b]);
    }
}

} // namespace
} // namespace rubato
