#include "base/errors.hpp"
#include "fixture.hpp"
#include "record/html.hpp"
#include "record/occurrences.hpp"
#include "record/recording.hpp"
#include "record/report_page.hpp"
#include "record/run_figures.hpp"
#include "record/small_frames.hpp"

namespace rubato::test {

namespace {

/// A short run of four oscillators with a tetrahedron to be seen.
void run_in(const std::filesystem::path& directory, const std::string& scene, const std::string& integrator, double h)
{
    RecordingOptions options;
    options.directory = directory;
    options.scene_text = "{\"name\": \"<b>\"}\n";
    options.description.scene = scene;
    options.description.integrator = integrator;
    options.description.h = h;
    options.description.end_time = 0.4;
    options.description.weight = 2;
    options.description.ground = 0.5;
    options.frames = {.per_second = 20};
    Oscillators dynamics;
    Stepper stepper;
    Metronome controller{h};
    Simulation simulation(dynamics, stepper, controller, {0, Vector::LinSpaced(12, 0, 1), Vector::Zero(12)});
    Recording recording(options, one_tet(), boundary_skin(one_tet()), simulation);
    recording.begin();
    recording.finish(simulation.run(0.4));
}

} // namespace

TEST(Html, LettersOfBytesAreThoseOfTheStandard)
{
    // RFC 4648, section 10
    const std::pair<const char*, const char*> cases[] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, letters] : cases) EXPECT_EQ(base64(bytes), letters);
    EXPECT_EQ(base64(std::string("\xff\xfe\x00", 3)), "//4A");
}

TEST(Html, TextStaysText) { EXPECT_EQ(html_text("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;"); }

TEST(RunFigures, AreThoseOfTheSummaryAndOfAnUnfinishedRunThoseOfItsTable)
{
    Folder folder;
    run_in(folder.path(), "springs", "implicit-euler", 0.01);
    const RunFigures ended = run_figures(folder.path());
    EXPECT_EQ(ended.status, "finished");
    EXPECT_EQ(ended.steps, 40);
    EXPECT_EQ(ended.step, 0.01);
    EXPECT_EQ(ended.weight, 2);
    ASSERT_TRUE(ended.energy_left());
    EXPECT_NEAR(*ended.energy_left(), (ended.end_energy - 0.5) / (ended.start_energy - 0.5), 1e-15);

    std::filesystem::remove(folder / "summary.json");
    const RunFigures going = run_figures(folder.path());
    EXPECT_EQ(going.status, "unfinished");
    EXPECT_EQ(going.steps, 40);
    EXPECT_EQ(going.end_energy, ended.end_energy);
    EXPECT_EQ(going.start_energy, ended.start_energy);

    put(folder / "summary.json", "{\"status\": 7}");
    EXPECT_THROW(run_figures(folder.path()), InputError);
}

TEST(ShownRuns, AreNamedByWhatTellsThemApart)
{
    Folder folder;
    run_in(folder / "a", "springs", "bdf2", 0.01);
    run_in(folder / "b", "springs", "a-search", 0.01);
    run_in(folder / "c", "springs", "bdf2", 0.02);
    run_in(folder / "d", "balls", "bdf2", 0.02);
    const auto names = [&](std::initializer_list<const char*> directories) {
        std::vector<std::filesystem::path> paths;
        for (const char* directory : directories) paths.push_back(folder / directory);
        std::vector<std::string> all;
        for (const ShownRun& run : shown_runs(paths)) all.push_back(run.name);
        return all;
    };
    EXPECT_EQ(names({"a", "b"}), (std::vector<std::string>{"bdf2", "a-search"}));
    EXPECT_EQ(names({"a", "c"}), (std::vector<std::string>{"bdf2, h = 0.01 s", "bdf2, h = 0.02 s"}));
    EXPECT_EQ(names({"a", "d"}), (std::vector<std::string>{"springs, bdf2", "balls, bdf2"}));
    EXPECT_EQ(names({"a", "a"}), (std::vector<std::string>{(folder / "a").string(), (folder / "a").string()}));

    std::filesystem::remove(folder / "a/frames.rbt");
    EXPECT_FALSE(shown_runs({folder / "a"}).front().has_frames);
    EXPECT_THROW(require_frames(shown_runs({folder / "a"})), InputError);
    EXPECT_THROW(shown_runs({folder.path()}), InputError);
    EXPECT_THROW(shown_runs({folder / "none"}), InputError);
}

TEST(SmallFrames, LeaveOutWhatDoesNotFit)
{
    Folder folder;
    run_in(folder.path(), "springs", "bdf2", 0.01);
    FrameReader whole(folder / "frames.rbt");
    ASSERT_EQ(whole.count(), 9u);
    const auto small = [&](std::uint64_t most) {
        put(folder / "small.rbt", small_frames(whole, most).bytes);
        return FrameReader(folder / "small.rbt");
    };
    FrameReader roomy = small(1 << 20);
    EXPECT_EQ(roomy.header().nodes, 0);
    EXPECT_EQ(roomy.header().fields.size(), 2u);
    EXPECT_EQ(roomy.count(), 9u);
    EXPECT_EQ(roomy.frame(8).values, whole.frame(8).values);
    EXPECT_EQ(roomy.triangles(), whole.triangles());

    FrameReader tight = small(9 * 12 * sizeof(float)); // positions of all frames
    EXPECT_EQ(tight.header().fields.size(), 1u);
    EXPECT_EQ(tight.count(), 9u);
    EXPECT_EQ(tight.frame(8).values.size(), 12u);

    FrameReader tighter = small(3 * 12 * sizeof(float));
    EXPECT_LE(tighter.count(), 4u);
    EXPECT_GE(tighter.count(), 2u);
    EXPECT_EQ(tighter.frame(0).time, 0);
}

TEST(Report, IsOnePageThatAsksForNothingAndTakesNamesForText)
{
    Folder folder;
    run_in(folder / "a", "springs", "bdf2", 0.01);
    run_in(folder / "b", "springs", "<i>&", 0.01);
    const Report page = report({.title = "a <title>",
        .sections = {{.title = "both", .text = "", .runs = shown_runs({folder / "a", folder / "b"})}},
        .viewer_script = "var Rubato = 1;"});
    EXPECT_EQ(occurrences(page.html, "class=\"card\""), 2u);
    EXPECT_EQ(occurrences(page.html, "<figure class=\"plot\">"), 3u) << "energy, height, iterations";
    EXPECT_EQ(page.plots.size(), 3u);
    EXPECT_EQ(occurrences(page.html, "data:image/png;base64,"), 1u);
    EXPECT_EQ(occurrences(page.html, "var Rubato = 1;"), 1u);
    EXPECT_EQ(occurrences(page.html, "showRuns(0, "), 1u);
    EXPECT_EQ(page.html.find("<i>"), std::string::npos);
    EXPECT_EQ(page.html.find("<title>a <title>"), std::string::npos);
    EXPECT_EQ(page.html.find("<b>"), std::string::npos) << "of scene.json";
    EXPECT_EQ(page.html.find("src=\"http"), std::string::npos);
    EXPECT_EQ(page.html.find("href=\"http"), std::string::npos);

    const Report still
        = report({.title = "t", .sections = {{.title = "one", .text = "", .runs = shown_runs({folder / "a"})}}});
    EXPECT_EQ(still.html.find("<script"), std::string::npos);
    EXPECT_EQ(occurrences(still.html, "data:image/png;base64,"), 1u);
}

} // namespace rubato::test
