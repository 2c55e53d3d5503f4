#include "bounded_run.hpp"

#include <sys/stat.h>

/// Things of the file system that are no files, in every place where the program reads one.
namespace rubato {
namespace {

enum class Thing { pipe, folder, loop, endless };
constexpr std::array things{Thing::pipe, Thing::folder, Thing::loop, Thing::endless};
constexpr std::array names{"pipe", "folder", "loop", "endless"};

class UnreadableTest : public BoundedProgramTest {
protected:
    void put(Thing thing, const fs::path& place) const
    {
        fs::remove_all(place);
        switch (thing) {
        case Thing::pipe: ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0); break;
        case Thing::folder: fs::create_directory(place); break;
        case Thing::loop: fs::create_symlink(place.filename(), place); break;
        case Thing::endless: fs::create_symlink("/dev/zero", place); break;
        }
    }

    /// The program must end by itself; what waits for ever, or fills the memory, is ended and tells so.
    ProgramResult run_bounded(const std::vector<std::string>& arguments) const
    {
        return run_within({.seconds = 60, .memory = std::uint64_t{4} << 30}, arguments);
    }
    void expect_refused(const std::vector<std::string>& arguments, const std::string& says) const
    {
        const ProgramResult result = run_bounded(arguments);
        EXPECT_EQ(result.status, 2) << result.err;
        EXPECT_EQ(result.error_lines(), 1) << result.err;
        EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
    }
};

TEST_F(UnreadableTest, AsAScene)
{
    for (const Thing thing : things) {
        SCOPED_TRACE(names[static_cast<std::size_t>(thing)]);
        put(thing, folder() / "scene.json");
        expect_refused({"run", "scene.json"}, "scene.json: ");
        expect_refused({"check", "./scene.json"}, "scene.json: ");
    }
}

TEST_F(UnreadableTest, APipeAsASceneIsRefusedWithAWayOut)
{
    put(Thing::pipe, folder() / "scene.json");
    expect_refused(
        {"check", "scene.json"}, "scene.json: is a pipe; a regular file is needed: write the scene to a file first");
}

TEST_F(UnreadableTest, AsAFileOfARun)
{
    write("scene.json", program_scene);
    ASSERT_EQ(run({"run", "scene.json", "--out", "whole", "--duration", "0.1"}).status, 0);
    const struct {
        const char* file;
        std::vector<const char*> commands; ///< that cannot do without it
    } cases[] = {
        {"scene.json", {"resume"}},
        {"stats.csv", {"report"}},
        {"frames.rbt", {"export", "thumbnail", "view"}},
        {"checkpoint.bin", {"resume"}},
        {"summary.json", {}},
    };
    for (const auto& c : cases) {
        for (const Thing thing : things) {
            fs::remove_all(folder() / "run");
            fs::copy(folder() / "whole", folder() / "run", fs::copy_options::recursive);
            fs::remove(folder() / "run" / "checkpoint.prev.bin");
            put(thing, folder() / "run" / c.file);
            for (const char* command : {"resume", "report", "export", "thumbnail", "view"}) {
                SCOPED_TRACE(std::string(names[static_cast<std::size_t>(thing)]) + " as " + c.file + ", " + command);
                std::vector<std::string> words{command, "run"};
                if (words[0] == "report") words.insert(words.end(), {"-o", "page.html", "--force"});
                if (words[0] == "export") words.insert(words.end(), {"--to", "obj", "-o", "exported", "--force"});
                const bool needed
                    = std::any_of(c.commands.begin(), c.commands.end(), [&](const char* n) { return words[0] == n; });
                if (words[0] == "view" && !needed) continue; // it would stay
                const ProgramResult result = run_bounded(words);
                EXPECT_TRUE(result.status == 2 || (!needed && result.status == 0)) << result.status << result.err;
                if (!needed) continue;
                EXPECT_EQ(result.error_lines(), 1) << result.err;
                EXPECT_NE(result.err.find(c.file), std::string::npos) << result.err;
            }
        }
    }
}

} // namespace
} // namespace rubato
