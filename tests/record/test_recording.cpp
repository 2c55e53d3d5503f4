#include "base/errors.hpp"
#include "fixture.hpp"
#include "killed_at_call.hpp"
#include "record/recording.hpp"
#include "record/run_figures.hpp"
#include "record/run_folder.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <csignal>
#include <map>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rubato::test {

namespace {

constexpr double h = 0.01, end_time = 1;

/// Raises the stop flag after a number of steps, or kills the process there.
class Ender : public Observer {
public:
    long at = -1;
    bool kill = false;
    std::atomic<bool> stop{false};

    void step(const StepRecord& record) override
    {
        if (record.step != at) return;
        if (kill) ::kill(::getpid(), SIGKILL);
        stop = true;
    }
};

RecordingOptions options_for(const std::filesystem::path& directory)
{
    RecordingOptions options;
    options.directory = directory;
    options.scene_text = "{\"name\": \"oscillators\"}\n";
    options.description.scene = "oscillators";
    options.description.program_version = "0.1.0";
    options.description.integrator = "implicit-euler";
    options.description.h = h;
    options.description.end_time = end_time;
    options.frames = {.per_second = 30};
    options.checkpoint_every = 10;
    return options;
}

/// A whole run: dynamics, integrator, controller, simulation, recording.
struct RecordedRun {
    Oscillators dynamics;
    Stepper integrator;
    Metronome controller{h};
    Simulation simulation;
    Recording recording;
    Ender ender;

    explicit RecordedRun(const RecordingOptions& options, double speed = 1)
        : simulation(
            dynamics, integrator, controller, {0, Vector::LinSpaced(12, 0, 1), speed * Vector::LinSpaced(12, 1, -1)})
        , recording(options, one_tet(), boundary_skin(one_tet()), simulation)
    {
        simulation.observe(ender);
    }
    RunResult go()
    {
        const RunResult result = simulation.run(end_time, &ender.stop);
        recording.finish(result);
        return result;
    }
};

/// The step that the last frame shows.
long last_frame(const Folder& folder)
{
    FrameReader reader(folder / "frames.rbt");
    return static_cast<long>(reader.frame(reader.count() - 1).step);
}

/// Runs in a process of its own, which ends by SIGKILL after a number of steps: no destructor runs, no buffer is
/// flushed.
void run_and_be_killed(const RecordingOptions& options, long step)
{
    const pid_t child = ::fork();
    if (child == 0) {
        RecordedRun run(options);
        run.ender.at = step;
        run.ender.kill = true;
        run.recording.begin();
        run.go();
        ::_exit(0); // not reached
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/// All files in a folder, with what is in them.
std::map<std::string, std::string> files_in(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            all[std::filesystem::relative(entry.path(), folder).string()] = contents(entry.path());
    }
    return all;
}

/// Everything a run directory holds, with what may differ between equal runs taken out: wall-clock times, and
/// checkpoints, which hold them.
std::map<std::string, std::string> comparable(const std::filesystem::path& directory)
{
    std::map<std::string, std::string> all;
    for (auto& [name, text] : files_in(directory)) {
        if (name.starts_with("checkpoint")) continue;
        if (name == "stats.csv") {
            std::string cut;
            for (const std::string& line : split(text, '\n')) cut += line.substr(0, line.rfind(',')) + "\n";
            text = cut;
        }
        if (name == "summary.json") {
            auto json = nlohmann::json::parse(text);
            json["time"].erase("wall");
            json["checksums"].erase("stats.csv"); // which has a column of wall-clock times
            json.erase("checksum");
            json.erase("phases");
            text = json.dump();
        }
        all[name] = text;
    }
    return all;
}

} // namespace

TEST(Recording, AFinishedRunLeavesEverythingItSays)
{
    Folder folder;
    RecordedRun run(options_for(folder / "new/run"));
    EXPECT_FALSE(std::filesystem::exists(folder / "new")) << "nothing is made before begin";
    run.recording.begin();
    EXPECT_TRUE(run.go().finished);
    EXPECT_EQ(run.recording.files(),
        (std::vector<std::string>{
            "scene.json", "stats.csv", "energy.svg", "summary.json", "frames.rbt", "checkpoint.bin"}));
    for (const std::string& name : run.recording.files()) {
        EXPECT_TRUE(std::filesystem::exists(folder / "new/run" / name)) << name;
    }
    EXPECT_EQ(rows(folder / "new/run/stats.csv").size(), 101u);
    EXPECT_EQ(run.recording.frames().count(), 31);
    EXPECT_EQ(contents(folder / "new/run/scene.json"), options_for("").scene_text);
    const auto summary = nlohmann::json::parse(contents(folder / "new/run/summary.json"));
    EXPECT_EQ(summary["status"], "finished");
    EXPECT_EQ(summary["steps"], 100);
    EXPECT_EQ(summary["frames"], 31);
}

TEST(Recording, AKilledRunResumedAnywhereEndsInTheSameBytes)
{
    Folder folder;
    RecordedRun whole(options_for(folder / "whole"));
    whole.recording.begin();
    EXPECT_TRUE(whole.go().finished);
    const auto expected = comparable(folder / "whole");

    for (const long at : {0L, 3L, 10L, 57L, 99L}) {
        const std::filesystem::path directory = folder / ("killed" + std::to_string(at));
        run_and_be_killed(options_for(directory), at);
        RecordedRun resumed(options_for(directory));
        EXPECT_EQ(resumed.recording.resume(), "");
        EXPECT_EQ(resumed.simulation.steps(), at - at % 10);
        EXPECT_TRUE(resumed.go().finished);
        EXPECT_EQ(comparable(directory), expected) << "killed at step " << at;
    }
}

TEST(Recording, AnInterruptedRunGoesOnFromWhereItStopped)
{
    Folder folder;
    RecordedRun whole(options_for(folder / "whole"));
    whole.recording.begin();
    whole.go();
    {
        RecordedRun run(options_for(folder / "run"));
        run.recording.begin();
        run.ender.at = 37;
        EXPECT_TRUE(run.go().interrupted);
        EXPECT_EQ(nlohmann::json::parse(contents(folder / "run/summary.json"))["status"], "interrupted");
    }
    RecordedRun resumed(options_for(folder / "run"));
    EXPECT_EQ(resumed.recording.resume(), "");
    EXPECT_EQ(resumed.simulation.steps(), 37);
    resumed.go();
    EXPECT_EQ(comparable(folder / "run"), comparable(folder / "whole"));
}

TEST(Recording, ADamagedCheckpointCostsOnlyTheStepsSinceTheOneBefore)
{
    Folder folder;
    run_and_be_killed(options_for(folder.path()), 45);
    put(folder / "checkpoint.bin", contents(folder / "checkpoint.bin").substr(0, 300));
    RecordedRun resumed(options_for(folder.path()));
    EXPECT_NE(resumed.recording.resume().find("truncated"), std::string::npos);
    EXPECT_EQ(resumed.simulation.steps(), 30);
    EXPECT_TRUE(resumed.go().finished);
    EXPECT_EQ(rows(folder / "stats.csv").size(), 101u);
}

TEST(Recording, AFailedRunLeavesItsLastGoodState)
{
    Folder folder;
    RecordedRun run(options_for(folder.path()));
    run.integrator.fail_at = 25;
    run.recording.begin();
    const RunResult result = run.go();
    EXPECT_FALSE(result.finished || result.interrupted);
    EXPECT_EQ(last_frame(folder), 25) << "a step that is no frame of the run";
    EXPECT_EQ(rows(folder / "stats.csv").size(), 26u);
    const auto summary = nlohmann::json::parse(contents(folder / "summary.json"));
    EXPECT_EQ(summary["status"], "failed");
    EXPECT_EQ(summary["reason"], result.why);
    EXPECT_EQ(summary["steps"], 25);

    RecordedRun again(options_for(folder.path()));
    again.recording.resume();
    EXPECT_EQ(again.simulation.steps(), 25);
    EXPECT_TRUE(again.go().finished) << "this integrator does not fail";
    FrameReader reader(folder / "frames.rbt");
    EXPECT_EQ(reader.count(), 31u) << "what was the last good state is no frame of this run";
}

TEST(Recording, ARunThatCannotStartStillGetsItsSummary)
{
    Folder folder;
    RecordedRun run(options_for(folder.path()), std::numeric_limits<double>::infinity());
    run.recording.begin();
    const RunResult result = run.go();
    EXPECT_FALSE(result.finished || result.interrupted);
    EXPECT_EQ(rows(folder / "stats.csv").size(), 0u);
    const auto summary = nlohmann::json::parse(contents(folder / "summary.json"));
    EXPECT_EQ(summary["status"], "failed");
    EXPECT_EQ(summary["reason"], result.why);
    EXPECT_FALSE(std::filesystem::exists(folder / "frames.rbt"));
}

TEST(Recording, BeginRemovesTheFilesOfAnEarlierRunAndNoOthers)
{
    Folder folder;
    {
        RecordedRun run(options_for(folder.path()));
        run.recording.begin();
        run.go();
    }
    put(folder / "notes.txt", "mine");
    put(folder / "frames.png", "mine");
    RecordingOptions options = options_for(folder.path());
    options.frames.per_second = 0;
    options.checkpoint_every = 0;
    RecordedRun run(options);
    run.recording.begin();
    run.go();
    EXPECT_FALSE(std::filesystem::exists(folder / "frames.rbt"));
    EXPECT_FALSE(std::filesystem::exists(folder / "checkpoint.bin"));
    EXPECT_TRUE(std::filesystem::exists(folder / "notes.txt"));
    EXPECT_TRUE(std::filesystem::exists(folder / "frames.png"));
}

TEST(Recording, RefusesTheCheckpointOfAnotherScene)
{
    Folder folder;
    run_and_be_killed(options_for(folder.path()), 15);
    const std::string before = contents(folder / "stats.csv");
    RecordingOptions other = options_for(folder.path());
    other.scene_text = "{\"name\": \"another\"}\n";
    RecordedRun run(other);
    EXPECT_THROW(run.recording.resume(), InputError);
    EXPECT_EQ(contents(folder / "stats.csv"), before);
}

TEST(Recording, KeepsCopiesOfItsInputsAndRefusesToGoOnWithOthers)
{
    Folder folder;
    RecordingOptions options = options_for(folder.path());
    options.inputs = {{"meshes/a.msh", "left"}, {"meshes/b.msh", "right"}};
    run_and_be_killed(options, 15);
    EXPECT_EQ(contents(folder / "meshes/a.msh"), "left");
    EXPECT_EQ(contents(folder / "meshes/b.msh"), "right");

    const std::string before = contents(folder / "stats.csv");
    const std::vector<RecordedInput> others[] = {{{"meshes/a.msh", "left"}, {"meshes/b.msh", "wrong"}},
        {{"meshes/a.msh", "leftr"}, {"meshes/b.msh", "ight"}}, {{"meshes/a.msh", "left"}}, {}};
    for (const auto& inputs : others) {
        RecordingOptions changed = options;
        changed.inputs = inputs;
        RecordedRun run(changed);
        EXPECT_THROW(run.recording.resume(), InputError) << inputs.size();
    }
    EXPECT_EQ(contents(folder / "stats.csv"), before);

    RecordedRun run(options);
    EXPECT_EQ(run.recording.resume(), "");
    EXPECT_TRUE(run.go().finished);
    const std::vector<std::string> files = run.recording.files();
    EXPECT_EQ(std::count(files.begin(), files.end(), "meshes/b.msh"), 1);
}

TEST(Recording, ADirectoryThatCannotBeIsAnInputError)
{
    Folder folder;
    put(folder / "file", "keep me");
    for (const char* name : {"file", "file/run", "file/run/deep"}) {
        RecordedRun run(options_for(folder / name));
        EXPECT_THROW(run.recording.begin(), InputError) << name;
    }
    EXPECT_EQ(contents(folder / "file"), "keep me");
}

TEST(Recording, ABeginThatFailsLeavesNothingOfItsOwn)
{
    Folder folder;
    const auto left = [&] { return std::distance(std::filesystem::recursive_directory_iterator(folder.path()), {}); };
    RecordingOptions options = options_for(folder / "new/run");
    options.inputs = {{"meshes/a.msh", "mesh"}, {"scene.json/b.msh", "cannot lie in a file"}};
    {
        RecordedRun run(options);
        EXPECT_THROW(run.recording.begin(), WriteError);
    }
    EXPECT_EQ(left(), 0) << "the folders above the run directory were made too";

    // A folder that was there before stays as it was.
    options.directory = folder / "old";
    options.inputs.pop_back();
    std::filesystem::create_directories(folder / "old/meshes/a.msh");
    put(folder / "old/meshes/a.msh/mine", "keep me");
    put(folder / "old/scene.json", "{}");
    put(folder / "old/stats.csv", std::string(stats_header) + "\n");
    RecordedRun run(options);
    EXPECT_THROW(run.recording.begin(), WriteError);
    EXPECT_EQ(contents(folder / "old/meshes/a.msh/mine"), "keep me");
    EXPECT_EQ(contents(folder / "old/scene.json"), "{}");
    EXPECT_EQ(contents(folder / "old/stats.csv"), std::string(stats_header) + "\n");
    EXPECT_EQ(files_in(folder / "old").size(), 3u);
}

namespace {

/// A run and the one that is to replace it: another scene, a mesh of the same name and one less.
struct Replacement {
    RecordingOptions former, latter;

    explicit Replacement(const std::filesystem::path& directory)
        : former(options_for(directory))
        , latter(options_for(directory))
    {
        former.inputs = {{"meshes/0-a.msh", "former a"}, {"meshes/1-b.msh", "former b"}};
        latter.inputs = {{"meshes/0-a.msh", "latter a"}};
        latter.scene_text = "{\"name\": \"another\"}\n";
        former.checkpoint_every = latter.checkpoint_every = 50;
    }
    static void run(const RecordingOptions& options)
    {
        RecordedRun run(options);
        run.recording.begin();
        run.go();
    }
};

/// A run that was interrupted after 37 steps.
void stop_in_the_middle(const std::filesystem::path& folder)
{
    RecordedRun run(options_for(folder));
    run.recording.begin();
    run.ender.at = 37;
    run.go();
}

} // namespace

TEST(Recording, ABeginThatCannotBeWrittenLeavesTheFormerRunWhole)
{
    Folder folder;
    Replacement both(folder.path());
    Replacement::run(both.former);
    put(folder / "notes.txt", "mine");
    const auto before = files_in(folder.path());
    both.latter.inputs.push_back({"meshes/1-large.msh", std::string(1 << 20, 'x')});
    RecordedRun run(both.latter);
    // A limit on file sizes stands in for the full disk.
    struct ::rlimit limit = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct ::rlimit small = limit;
    small.rlim_cur = 1 << 16;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(run.recording.begin(), WriteError);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, handler);
    EXPECT_TRUE(files_in(folder.path()) == before);
    EXPECT_EQ(std::distance(std::filesystem::recursive_directory_iterator(folder.path()), {}),
        static_cast<std::ptrdiff_t>(before.size()) + 1)
        << "and the folder of meshes";
    RecordedRun again(both.former);
    EXPECT_EQ(again.recording.resume(), "");
}

TEST(Recording, AKillAtAnyMomentOfABeginLeavesAFolderThatCanBeReplaced)
{
    Folder folder;
    Replacement former(folder / "former"), alone(folder / "alone");
    Replacement::run(former.former);
    Replacement::run(alone.latter);
    const auto before = files_in(folder / "former"), expected = comparable(folder / "alone");
    for (const bool replacing : {true, false}) {
        int call = 0;
        KillOutcome outcome = KillOutcome::killed;
        for (; outcome == KillOutcome::killed; ++call) {
            const std::filesystem::path here = folder / "here";
            std::filesystem::remove_all(here);
            if (replacing) std::filesystem::copy(folder / "former", here, std::filesystem::copy_options::recursive);
            const Replacement both(here);
            outcome = killed_at_call(call, [&](const auto& from_here_on) {
                RecordedRun run(both.latter);
                from_here_on();
                run.recording.begin();
            });
            if (outcome == KillOutcome::impossible) GTEST_SKIP() << "processes may not be traced here";
            ASSERT_TRUE(takes_run(here)) << "killed at call " << call << (replacing ? " of a replacement" : "");
            // What tells of the former run is there only as long as that run is whole.
            auto now = std::filesystem::exists(here) ? files_in(here) : std::map<std::string, std::string>();
            if (now.contains("summary.json") || now.contains("checkpoint.bin") || now.contains("checkpoint.prev.bin")) {
                for (const auto& [name, text] : before) {
                    if (name.starts_with("checkpoint") || name == "summary.json") continue;
                    ASSERT_TRUE(now[name] == text) << name << " at call " << call;
                }
            }
            Replacement::run(both.latter);
            ASSERT_TRUE(comparable(here) == expected) << "killed at call " << call;
        }
        EXPECT_GT(call, 20) << "system calls";
    }
}

TEST(Recording, AKillAtAnyMomentOfAResumptionLeavesFilesThatFitEachOther)
{
    Folder folder;
    stop_in_the_middle(folder / "former");
    std::filesystem::remove(folder / "former/checkpoint.bin"); // the one before has fewer rows than the summary
    int call = 0;
    KillOutcome outcome = KillOutcome::killed;
    for (; outcome == KillOutcome::killed; ++call) {
        const std::filesystem::path here = folder / "here";
        std::filesystem::remove_all(here);
        std::filesystem::copy(folder / "former", here, std::filesystem::copy_options::recursive);
        outcome = killed_at_call(call, [&](const auto& from_here_on) {
            RecordedRun run(options_for(here));
            from_here_on();
            run.recording.resume();
        });
        if (outcome == KillOutcome::impossible) GTEST_SKIP() << "processes may not be traced here";
        ASSERT_NO_THROW(run_figures(here)) << "killed at call " << call;
    }
    EXPECT_GT(call, 5) << "system calls";
}

TEST(Recording, ASummaryThatCannotBeRemovedStopsAResumption)
{
    Folder folder;
    stop_in_the_middle(folder.path());
    std::filesystem::remove(folder / "checkpoint.bin");
    std::filesystem::remove(folder / "summary.json");
    std::filesystem::create_directory(folder / "summary.json");
    put(folder / "summary.json/mine", "keep me");
    const auto before = files_in(folder.path());
    RecordedRun resumed(options_for(folder.path()));
    EXPECT_THROW(resumed.recording.resume(), WriteError);
    EXPECT_TRUE(files_in(folder.path()) == before);
}

TEST(Recording, BeginReplacesOnlyARun)
{
    Folder folder;
    const auto refused = [&] {
        RecordedRun run(options_for(folder.path()));
        try {
            run.recording.begin();
            return false;
        } catch (const InputError&) {
            return true;
        }
    };
    put(folder / "picture.png", "mine");
    EXPECT_TRUE(refused());
    put(folder / "summary.json", "{}");
    put(folder / "scene.json", "{}");
    EXPECT_TRUE(refused()) << "a scene alone is no run";
    put(folder / "stats.csv", "a,b\n1,2\n");
    EXPECT_TRUE(refused()) << "nor with the table of somebody else";
    EXPECT_EQ(contents(folder / "picture.png"), "mine");
    EXPECT_EQ(contents(folder / "scene.json"), "{}");
    put(folder / "stats.csv", std::string(stats_header) + "\n");
    EXPECT_FALSE(refused());
    EXPECT_FALSE(std::filesystem::exists(folder / "picture.png"));
}

TEST(Recording, AnyByteOfStatsOrSummaryThatChangedIsNoticed)
{
    Folder folder;
    {
        RecordingOptions options = options_for(folder.path());
        options.frames.per_second = 0;
        RecordedRun run(options);
        run.recording.begin();
        run.go();
    }
    EXPECT_NO_THROW(run_figures(folder.path()));
    for (const char* name : {"stats.csv", "summary.json", "scene.json"}) {
        const std::string whole = contents(folder / name);
        for (std::size_t i = 0; i < whole.size(); i += std::max<std::size_t>(1, whole.size() / 300)) {
            std::string damaged = whole;
            damaged[i] = damaged[i] == '7' ? '8' : '7';
            put(folder / name, damaged);
            EXPECT_THROW(run_figures(folder.path()), InputError) << name << " at " << i;
        }
        put(folder / name, whole);
    }
    EXPECT_NO_THROW(run_figures(folder.path()));

    // A run of an earlier version has no checksums, and is believed.
    auto old = nlohmann::ordered_json::parse(contents(folder / "summary.json"));
    old.erase("checksums");
    old.erase("checksum");
    put(folder / "summary.json", old.dump(2) + "\n");
    EXPECT_NO_THROW(run_figures(folder.path()));
}

TEST(Recording, ADamagedTableStopsAResumptionBeforeAnythingIsTouched)
{
    Folder folder;
    stop_in_the_middle(folder.path());
    std::string damaged = contents(folder / "stats.csv");
    damaged[damaged.size() / 2] ^= 1;
    put(folder / "stats.csv", damaged);
    std::map<std::string, std::string> before;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        before[entry.path().filename()] = contents(entry.path());
    RecordedRun resumed(options_for(folder.path()));
    EXPECT_THROW(resumed.recording.resume(), InputError);
    for (const auto& [name, bytes] : before) EXPECT_EQ(contents(folder / name), bytes) << name;
}

} // namespace rubato::test
