#include "contact_scenes/judged_run.hpp"

#include <filesystem>
#include <fstream>

namespace rubato::test {
namespace {

/// A pear of 3 to 4 cm, narrower in front, and a wall of 2 cm with a square hole of 1.8 cm. It is pulled through by
/// nodes of its front, `held` says which, that follow a script.
struct Pear {
    std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "rubato-pear";
    std::string text;

    Pear(const std::string& held, double duration, int nodes)
    {
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "pear.blobs") << "capsule from -0.05 0 0 to 0.03 0 0 radii 0.022 0.0132\n";
        text = fmt::format(R"({{"gravity": [0, 0, 0], "time": {{"step": "1/30", "duration": {}}},
            "integrator": "implicit-euler",
            "bodies": [{{"name": "pear", "mesh": {{"type": "blobs", "path": "pear.blobs", "nodes": {}}}, "density": 1000,
                         "material": {{"type": "neo-hookean", "young": 1e6, "poisson": 0.45}}}}],
            "scripted": [{{"nodes": {{"type": "box", {}}}, "motion": {{"type": "translation", "velocity": [0.3, 0, 0]}}}}],
            "obstacles": [{{"type": "box", "center": [0.14, 0.059, 0], "size": [0.02, 0.1, 0.218]}},
                          {{"type": "box", "center": [0.14, -0.059, 0], "size": [0.02, 0.1, 0.218]}},
                          {{"type": "box", "center": [0.14, 0, 0.059], "size": [0.02, 0.018, 0.1]}},
                          {{"type": "box", "center": [0.14, 0, -0.059], "size": [0.02, 0.018, 0.1]}}],
            "contact": {{"friction": 0.5}}}})",
            duration, nodes, held);
    }
};

/// The script waits where the body has to give way. Every step ends with the scripted nodes where the script says, and
/// the checker sees nothing pass through anything and no tetrahedron inverted.
TEST(Pulled, ByAScriptThroughANarrowHole)
{
    const Pear pear(R"("min": [0.0066, -0.007, -0.007], "max": [1, 0.007, 0.007])", 0.5, 800);
    JudgedRun run(pear.text, {}, pear.folder);
    const Prescription& script = run.scene().dynamics->system().prescription;
    double farthest = 0;
    run.watch = [&](const StepRecord& record) {
        for (const Eigen::Index i : script.unknowns()) {
            if (i >= 3 * Eigen::Index{run.scene().body_nodes}) continue;
            const double X = run.scene().mesh.nodes[static_cast<std::size_t>(i / 3)][i % 3];
            const double way = i % 3 == 0 ? 0.3 * record.state.t : 0;
            ASSERT_NEAR(record.state.x[i], X + way, 1e-12) << "after step " << record.step;
            farthest = std::max(farthest, record.state.x[i]);
        }
    };
    run.run_cleanly();
    EXPECT_GT(farthest, 0.15) << "behind the wall";
}

/// What is held is wider than the hole: there is no way, and the run says so.
TEST(Pulled, ByAPartThatDoesNotFitEndsWithAReason)
{
    const Pear pear(R"("min": [0, -1, -1], "max": [1, 1, 1])", 1, 200);
    JudgedRun run(pear.text, {}, pear.folder);
    const RunResult result = run.run_as_far_as_possible(false);
    EXPECT_FALSE(result.finished);
    EXPECT_NE(result.why.find("scripted nodes could not reach their place"), std::string::npos) << result.why;
}

} // namespace
} // namespace rubato::test
