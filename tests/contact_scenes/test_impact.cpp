#include "contact_scenes/judged_run.hpp"

namespace rubato::test {
namespace {

const char* const ball = R"({"type": "ball", "radius": 0.1, "nodes": 300})";

std::string scene_text(const std::string& integrator, double duration, const std::string& bodies,
    const std::string& obstacles, const std::string& controller = "halving")
{
    return fmt::format(R"({{"time": {{"step": "1/30", "duration": {}, "controller": "{}"}}, "integrator": "{}",
        "bodies": [{}], "obstacles": [{}], "contact": {{}}}})",
        duration, controller, integrator, bodies, obstacles);
}

class Impact : public testing::TestWithParam<const char*> { };

/// In one step of free flight the ball would go 2 m, twenty radii.
TEST_P(Impact, OfABallAt60MetresPerSecondOnTheGroundLeavesItAboveAndWhole)
{
    JudgedRun run(
        scene_text(GetParam(), 0.2, body_text("ball", ball, {0, 0.5, 0}, {3, -60, 0}, 1e6), R"("half-space")"));
    run.run_cleanly();
}

TEST_P(Impact, OfABallOnASheetOfAMillimetreDoesNotGoThrough)
{
    JudgedRun run(scene_text(GetParam(), 0.2, body_text("ball", ball, {0.05, 0.3, 0.02}, {0, -60, 0}, 1e6),
        R"({"type": "box", "size": [8, 0.001, 8]})"));
    run.watch = [&](const StepRecord& record) {
        for (Index i = 0; i < run.scene().body_nodes; ++i) {
            ASSERT_GT(node(record.state.x, i)[1], 0.0005) << "node " << i << " after step " << record.step;
        }
    };
    run.run_cleanly();
}

/// Two balls that meet `off` their middles [m].
std::string head_on(const std::string& integrator, double young, double off, const char* mesh)
{
    return scene_text(integrator, 0.1,
        body_text("left", mesh, {-0.3, 0, 0}, {30, 0, 0}, young) + ", "
            + body_text("right", mesh, {0.3, off, 0}, {-30, 0, 0}, young),
        "");
}

/// Each goes five diameters in a step of 1/30 s. On such a way the minimiser of a stage may lie behind the other ball,
/// with a descent around it: they may end up there, but never in each other.
TEST_P(Impact, OfTwoBallsThatGoFiveDiametersInAStepLeavesThemApart)
{
    JudgedRun run(head_on(GetParam(), 1e6, 0.04, ball));
    EXPECT_TRUE(run.run().finished);
    EXPECT_EQ(run.fault(), "");
}

TEST_P(Impact, OfTwoBallsAt30MetresPerSecondEachThrowsThemBack)
{
    JudgedRun run(head_on(GetParam(), 1e7, 0, R"({"type": "ball", "radius": 0.1, "nodes": 120})"),
        {{"time.step", "1/960", "--set"}, {"time.duration", "1/60", "--set"}});
    const auto middle = [&](const State& state, std::size_t body) {
        const PlacedBody& b = run.scene().bodies[body];
        Vec3 sum = Vec3::Zero();
        for (Index i = b.first_node; i < b.first_node + b.nodes; ++i) sum += node(state.x, i);
        return Vec3(sum / b.nodes);
    };
    run.watch = [&](const StepRecord& record) {
        EXPECT_LT(middle(record.state, 0)[0] + 0.05, middle(record.state, 1)[0]) << "after step " << record.step;
    };
    run.run_cleanly();
    const Vec3 apart = middle(run.state(), 1) - middle(run.state(), 0);
    EXPECT_GT(apart[0], 0.2);
}

INSTANTIATE_TEST_SUITE_P(Contact, Impact, testing::Values("implicit-euler", "bdf2", "a-search", "a-1"), test_name);

} // namespace
} // namespace rubato::test
