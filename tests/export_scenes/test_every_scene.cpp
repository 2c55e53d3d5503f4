#include "builtin_scene.hpp"
#include "export_scenes/judges.hpp"
#include "scene/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

/// Every scene that comes with the program, in every format: others find the points where the run had them.
namespace rubato::test {

namespace {

constexpr int steps = 2; ///< that are run, each of them a frame

class EverySceneTest : public testing::TestWithParam<BuiltinScene> { };

Scene shortened(const std::string& name)
{
    const double h = scene_named(name).root.part("time").options.real("step");
    const auto setting = [](const char* path, double value) {
        return Override{path, fmt::format("{}", value), "test"};
    };
    return scene_named(name,
        {setting("time.duration", steps * h), setting("output.frames_per_second", 1 / h),
            setting("output.checkpoint_every", 0), {"output.picture", "false", "test"}});
}

} // namespace

TEST_P(EverySceneTest, IsReadByOthersInEveryFormat)
{
    const Folder folder;
    SceneRun run(shortened(std::string(GetParam().name)), folder / "run", "test");
    run.begin();
    const RunResult result = run.run();
    ASSERT_TRUE(result.finished) << result.why;

    FrameReader reader(folder / "run" / "frames.rbt");
    ASSERT_EQ(reader.count(), steps + 1U);
    ExportedRun exports{.reader = reader, .x = {}};
    double farthest = 1; // [m]; single precision cannot promise 1e-6 m further out
    for (std::size_t i = 0; i < reader.count(); ++i) {
        const Frame frame = reader.frame(i);
        const auto x
            = frame.field(reader.header().fields, static_cast<std::size_t>(reader.header().points), "position");
        for (const float c : x) farthest = std::max(farthest, std::abs(static_cast<double>(c)));
        exports.x.emplace_back(x.begin(), x.end());
    }
    exports.tolerance = 1e-6 * farthest;

    // The last frame is the state that the run ended in.
    const Frame last = reader.node_frame(steps);
    const auto nodes
        = last.field(reader.header().node_fields, static_cast<std::size_t>(reader.header().nodes), "position");
    ASSERT_GT(nodes.size(), 0U);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        ASSERT_NEAR(nodes[i], run.simulation().state().x[static_cast<Eigen::Index>(i)], exports.tolerance);

    const std::vector<Judge> all = judges();
    std::set<std::string> missing;
    for (const ExportEntry& format : export_catalog()) {
        exports.files = exported(format, reader, {.folder = folder / format.name});
        int asked = 0;
        for (const Judge& judge : all) {
            if (judge.format != format.name) continue;
            ++asked;
            SCOPED_TRACE(format.name);
            if (judge.missing.empty()) {
                judge.ask(exports);
            } else {
                missing.insert(judge.missing);
            }
        }
        EXPECT_GT(asked, 0) << "nobody reads " << format.name << "; judges() has to name a reader";
        std::filesystem::remove_all(folder / format.name);
    }
    if (HasFailure() || missing.empty()) return;
    std::string reasons;
    for (const std::string& reason : missing) reasons += (reasons.empty() ? "" : "; ") + reason;
    GTEST_SKIP() << "all that could be asked agree, but " << reasons;
}

INSTANTIATE_TEST_SUITE_P(All, EverySceneTest, testing::ValuesIn(builtin_scenes()), test_name);

} // namespace rubato::test
