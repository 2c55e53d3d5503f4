#include "record/fixture.hpp"
#include "record/stats_table.hpp"
#include "scene/run.hpp"
#include "scene/sample.hpp"

#include <nlohmann/json.hpp>

namespace rubato {

namespace {

/// The hanging block under a method that follows a falling target. Nothing says how low it is to fall.
const std::vector<Override> decaying{
    {"integrator", "a-search", "test"},
    {"energy", R"({"type": "decay", "tau": 0.3})", "test"},
    {"time.step", "1/120", "test"},
    {"time.duration", "1", "test"},
    {"output.frames_per_second", "0", "test"},
    {"output.picture", "false", "test"},
    {"output.checkpoint_every", "7", "test"},
};

/// Raises the stop flag after a number of steps.
class Ender final : public Observer {
public:
    explicit Ender(long at)
        : at_(at)
    {
    }
    void step(const StepRecord& record) override { stop = stop || record.step == at_; }
    std::atomic<bool> stop{false};

private:
    long at_;
};

/// Every column of a stats.csv but the wall-clock.
std::vector<std::string> rows_of(const std::filesystem::path& file)
{
    std::vector<std::string> rows;
    for (const std::string& line : test::split(test::contents(file), '\n'))
        rows.push_back(line.substr(0, line.rfind(',')));
    return rows;
}

} // namespace

TEST(TargetRun, TheGroundThatWasFoundIsWrittenAndFoundNoMore)
{
    const Scene scene = scene_in(small_scene, decaying);
    const BuiltScene once = built(scene);
    ASSERT_TRUE(once.ground.has_value());
    const Scene again = scene_in(resolved_scene(scene, once).text());
    EXPECT_EQ(again.root.part("energy").options.real("ground"), *once.ground);
    const BuiltScene looked_at = built(again, GroundSearch::never);
    EXPECT_NE(looked_at.target, nullptr) << "there is nothing to look for";
    EXPECT_THROW(built(scene, GroundSearch::never).simulation(), std::logic_error);
}

TEST(TargetRun, FollowsItsTargetAndSaysHowWell)
{
    const test::Folder folder;
    SceneRun run(scene_in(small_scene, decaying), folder / "run", "1");
    run.begin();
    ASSERT_TRUE(run.run().finished);

    const double ground = *run.built().ground;
    const StatsTable table = stats_table(folder / "run/stats.csv");
    const std::vector<double>&t = table.column("time"), &total = table.column("total"),
          &target = table.column("target");
    const double above = total[0] - ground;
    for (std::size_t i = 0; i < t.size(); ++i) {
        EXPECT_NEAR(target[i], ground + std::exp(-t[i] / 0.3) * above, 1e-9 * above);
    }
    const auto json = nlohmann::json::parse(test::contents(folder / "run/summary.json"));
    EXPECT_EQ(json["energy"]["ground"], ground);
    EXPECT_EQ(json["energy"]["target"]["end"], target.back());
    EXPECT_LT(json["energy"]["target"]["mean_error_relative"].get<double>(), 0.02);
}

TEST(TargetRun, GoesOnAfterAnInterruptionAsIfNothingHadHappened)
{
    const test::Folder folder;
    const Scene scene = scene_in(small_scene, decaying);
    SceneRun whole(scene, folder / "whole", "1");
    whole.begin();
    ASSERT_TRUE(whole.run().finished);
    {
        SceneRun first(scene, folder / "parts", "1");
        Ender ender(10);
        first.simulation().observe(ender);
        first.begin();
        ASSERT_TRUE(first.run(&ender.stop).interrupted);
    }
    const auto second = SceneRun::resumed(folder / "parts", "1");
    EXPECT_EQ(second->simulation().steps(), 10);
    ASSERT_TRUE(second->run().finished);
    EXPECT_EQ(rows_of(folder / "parts/stats.csv"), rows_of(folder / "whole/stats.csv"));
}

} // namespace rubato
