#include "contact_scenes/judged_run.hpp"

namespace rubato::test {
namespace {

/// A ball of 0.2 m between plates that are 2 cm apart after half a second, and as at the start after another half.
/// They wait a tenth of a second in between.
std::string squeezed_ball(const std::string& integrator, double step, const std::string& controller, double young = 1e5)
{
    const auto plate = [](const std::string& name, int side) {
        return fmt::format(R"({{"type": "box", "name": "{}", "center": [0, {}, 0], "size": [1.2, 0.04, 1.2],
            "motion": {{"type": "keyframes", "times": [0, 0.5, 0.6, 1],
                        "displacements": [[0, 0, 0], [0, {}, 0], [0, {}, 0], [0, 0, 0]]}}}})",
            name, side * 0.125, -side * 0.095, -side * 0.095);
    };
    return fmt::format(R"({{"time": {{"step": {}, "duration": 1.1, "controller": "{}"}}, "integrator": "{}",
        "gravity": [0, 0, 0], "bodies": [{}], "obstacles": [{}, {}], "contact": {{"friction": 0.2}}}})",
        step, controller, integrator,
        body_text("ball", R"({"type": "ball", "radius": 0.1, "nodes": 120})", {0, 0, 0}, {0, 0, 0}, young),
        plate("upper", 1), plate("lower", -1));
}

class Squeeze : public testing::TestWithParam<const char*> { };

TEST_P(Squeeze, OfABallToATenthLeavesItWholeAndThePlatesWhereTheScriptSays)
{
    JudgedRun run(squeezed_ball(GetParam(), 1.0 / 60, "fixed"));
    double thinnest = 1;
    run.watch = [&](const StepRecord& record) {
        double low = 0, high = 0;
        for (Index i = 0; i < run.scene().body_nodes; ++i) {
            low = std::min(low, node(record.state.x, i)[1]);
            high = std::max(high, node(record.state.x, i)[1]);
        }
        thinnest = std::min(thinnest, high - low);
        for (const PlacedObstacle& plate : run.scene().obstacles) {
            for (Index i = plate.first_node; i < plate.first_node + plate.nodes; ++i) {
                const Vec3 X = run.scene().mesh.nodes[static_cast<std::size_t>(i)];
                ASSERT_EQ(Vec3(node(record.state.x, i)), plate.motion->position(X, record.state.t))
                    << "after step " << record.step;
            }
        }
    };
    run.run_cleanly();
    EXPECT_LT(thinnest, 0.02);
}

INSTANTIATE_TEST_SUITE_P(Contact, Squeeze, testing::Values("implicit-euler", "bdf2", "a-search"), test_name);

} // namespace
} // namespace rubato::test
