#include "contact_scenes/random_scene.hpp"

namespace rubato::test {
namespace {

/// The first of two hundred; the others are in contact_slow/.
class RandomScenes : public testing::TestWithParam<int> { };

TEST_P(RandomScenes, AreFreeOfCrossingsInEveryStep)
{
    RandomRuns runs;
    runs.run(static_cast<std::uint64_t>(GetParam()), 10);
    EXPECT_GE(runs.touched, 5) << "scenes in which nothing meets prove nothing";
    EXPECT_LE(runs.stopped, 3);
}

INSTANTIATE_TEST_SUITE_P(From, RandomScenes, testing::Values(0, 10, 20, 30));

} // namespace
} // namespace rubato::test
