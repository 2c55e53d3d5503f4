#include "contact_scenes/random_scene.hpp"

namespace rubato::test {
namespace {

/// The last 160 of two hundred scenes; the first ones are in contact_scenes/.
class MoreRandomScenes : public testing::TestWithParam<int> { };

TEST_P(MoreRandomScenes, AreFreeOfCrossingsInEveryStep)
{
    RandomRuns runs;
    runs.run(static_cast<std::uint64_t>(GetParam()), 40);
    EXPECT_GE(runs.touched, 20) << "scenes in which nothing meets prove nothing";
    EXPECT_LE(runs.stopped, 10);
}

INSTANTIATE_TEST_SUITE_P(From, MoreRandomScenes, testing::Range(40, 200, 40));

} // namespace
} // namespace rubato::test
