#include "export/sample.hpp"
#include "program/program.hpp"

/// `rubato export`, as a user meets it.
namespace rubato::test {

namespace {

class ExportCommandTest : public ProgramTest {
protected:
    void SetUp() override
    {
        ProgramTest::SetUp();
        fs::create_directory(folder() / "run");
        sample_file(folder() / "run");
    }
    void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words)
    {
        const ProgramResult result = run(arguments);
        EXPECT_EQ(result.status, 2) << result.err;
        EXPECT_EQ(result.error_lines(), 1) << result.err;
        for (const std::string& word : words) EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
    }
    std::size_t files_in(const std::string& name) const
    {
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& file : fs::directory_iterator(folder() / name)) ++count;
        return count;
    }
};

} // namespace

TEST_F(ExportCommandTest, writes_each_format_into_a_folder_of_its_own_in_the_run)
{
    const ProgramResult result = run({"export", "run", "--to", "usd,gltf,obj"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, ""); // no progress where there is no terminal
    EXPECT_TRUE(exists("run/usd/odd_things.usda"));
    EXPECT_TRUE(exists("run/gltf/odd_things.glb"));
    EXPECT_TRUE(exists("run/obj/frame_000005.obj"));
    EXPECT_NE(result.out.find("wrote run/usd: 1 file"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("odd_things.glb"), std::string::npos) << result.out;
}

TEST_F(ExportCommandTest, takes_a_file_of_frames_and_a_folder)
{
    EXPECT_EQ(run({"export", "run/frames.rbt", "--to", "ply", "-o", "new/place"}).status, 0);
    EXPECT_TRUE(exists("new/place/frame_000000.ply"));
    EXPECT_EQ(run({"export", "run/frames.rbt", "--to", "ply", "--to", "mdd", "-o", "both"}).status, 0);
    EXPECT_TRUE(exists("both/ply/frame_000000.ply"));
    EXPECT_TRUE(exists("both/mdd/ground.mdd"));
}

TEST_F(ExportCommandTest, takes_some_of_the_frames)
{
    EXPECT_EQ(run({"export", "run", "--to", "obj", "--every", "2"}).status, 0);
    EXPECT_EQ(files_in("run/obj"), 3U);
    EXPECT_EQ(run({"export", "run", "--to", "ply", "--from", "0.05", "--until", "0.16"}).status, 0);
    EXPECT_EQ(files_in("run/ply"), 2U);
}

TEST_F(ExportCommandTest, replaces_only_by_force_and_then_leaves_no_frames_of_before)
{
    EXPECT_EQ(run({"export", "run", "--to", "obj"}).status, 0);
    write("run/obj/notes.txt", "mine");
    expect_refused({"export", "run", "--to", "obj"}, {"-o", "run/obj", "not empty", "--force"});
    EXPECT_EQ(run({"export", "run", "--to", "obj", "--every", "3", "--force"}).status, 0);
    EXPECT_EQ(files_in("run/obj"), 3U);
    EXPECT_EQ(read("run/obj/notes.txt"), "mine");
}

TEST_F(ExportCommandTest, says_what_is_wrong_and_what_is_allowed)
{
    expect_refused({"export", "run", "--to", "abc"}, {"--to", "abc", "usd, gltf, vtu, obj, ply, pc2, mdd"});
    expect_refused({"export", "run", "--to", "usda"}, {"usda", "did you mean 'usd'"});
    expect_refused(
        {"export", "run", "--to", "fbx"}, {"--to", "fbx", ": must be one of usd, gltf, vtu, obj, ply, pc2, mdd"});
    expect_refused({"export", "nowhere", "--to", "usd"}, {"nowhere", ".rbt"});
    fs::create_directory(folder() / "empty");
    expect_refused({"export", "empty", "--to", "usd"}, {"empty", "frames.rbt"});
    write("bad.rbt", "no frames");
    expect_refused({"export", "bad.rbt", "--to", "usd"}, {"bad.rbt", "RUBATOFR"});
    expect_refused({"export", "run", "--to", "usd", "--every", "0"}, {"--every"});
    expect_refused({"export", "run", "--to", "usd", "--from", "1"}, {"frames.rbt", "from 0 s to 0.3 s"});
    expect_refused(
        {"export", "run", "--to", "usd", "--from", "0.2", "--until", "0.1"}, {"--from", "0.2", "--until 0.1"});
    expect_refused({"export", "run", "--to", "usd", "-o", "bad.rbt"}, {"-o", "bad.rbt", "folder"});
    expect_refused({"export", "run"}, {"--to"});
    EXPECT_EQ(files_in("run"), 1U) << "a refused export leaves nothing";
}

TEST_F(ExportCommandTest, tells_of_a_disk_that_cannot_be_written)
{
    if (!fs::exists("/proc/version")) GTEST_SKIP() << "there is no folder that nobody can write to";
    const ProgramResult result = run({"export", "run", "--to", "usd", "-o", "/proc/nothing"});
    EXPECT_EQ(result.status, 3) << result.err;
    EXPECT_NE(result.err.find("/proc/nothing"), std::string::npos) << result.err;
}

} // namespace rubato::test
