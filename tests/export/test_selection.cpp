#include "base/errors.hpp"
#include "export/readers.hpp"
#include "record/export/names.hpp"

namespace rubato::test {

namespace {

std::vector<double> times_of(const FrameSelection& frames)
{
    std::vector<double> times;
    for (std::size_t i = 0; i < frames.count(); ++i) times.push_back(frames.time(i));
    return times;
}

} // namespace

TEST_F(ExportTest, a_reader_stands_for_all_its_frames) { EXPECT_EQ(times_of(reader), sample_times); }

TEST_F(ExportTest, a_selection_takes_each_so_many_frames_between_two_times)
{
    const auto& t = sample_times;
    EXPECT_EQ(times_of(FrameSelection(reader, {.every = 2})), (std::vector<double>{t[0], t[2], t[4]}));
    EXPECT_EQ(times_of(FrameSelection(reader, {.from = 0.05})), (std::vector<double>{t[2], t[3], t[4], t[5]}));
    EXPECT_EQ(
        times_of(FrameSelection(reader, {.every = 2, .from = 0.03, .until = 0.15})), (std::vector<double>{t[1], t[3]}));
    // A time that was meant but is a sum of steps.
    EXPECT_EQ(times_of(FrameSelection(reader, {.from = 0.15 + 1e-12, .until = 0.15 - 1e-12})).size(), 1U);
    EXPECT_EQ(FrameSelection(reader, {.every = 2}).frame(1).time, t[2]);
    EXPECT_EQ(FrameSelection(reader, {.every = 2}).node_frame(2).time, t[4]);
}

TEST_F(ExportTest, a_selection_of_nothing_is_refused_with_the_times_that_there_are)
{
    try {
        FrameSelection(reader, {.from = 1, .until = 2});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("from 0 s to 0.3 s"), std::string::npos) << error.what();
    }
}

TEST_F(ExportTest, a_time_that_does_not_grow_is_left_out)
{
    const Folder other;
    FrameReader twice(sample_file(other.path(), sample_parts(), {0, 0.1, 0.1, 0.05, 0.2}));
    EXPECT_EQ(times_of(twice), (std::vector<double>{0, 0.1, 0.2}));
}

TEST_F(ExportTest, a_run_without_frames_is_refused)
{
    const Folder other;
    FrameReader none(sample_file(other.path(), sample_parts(), {}));
    EXPECT_THROW(FrameSelection{none}, InputError);
}

TEST_F(ExportTest, every_format_writes_only_below_its_folder_and_leaves_nothing_half_done)
{
    for (const ExportEntry& entry : export_catalog()) {
        const auto written = exported(entry.name);
        EXPECT_FALSE(written.empty());
        std::set<std::filesystem::path> there;
        for (const auto& file : std::filesystem::directory_iterator(folder / entry.name)) there.insert(file.path());
        EXPECT_EQ(there, std::set<std::filesystem::path>(written.begin(), written.end())) << entry.name;
    }
    std::size_t beside = 0;
    for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder.path())) ++beside;
    EXPECT_EQ(beside, export_catalog().size() + 1); // and frames.rbt
}

TEST_F(ExportTest, every_format_writes_a_single_frame)
{
    for (const ExportEntry& entry : export_catalog())
        EXPECT_NO_THROW(exported(entry.name, {.from = 0.3})) << entry.name;
}

TEST_F(ExportTest, every_format_writes_the_same_bytes_again)
{
    for (const ExportEntry& entry : export_catalog()) {
        std::vector<std::string> before, after;
        for (const auto& file : exported(entry.name)) before.push_back(contents(file));
        for (const auto& file : exported(entry.name)) after.push_back(contents(file));
        EXPECT_EQ(before, after) << entry.name;
    }
}

TEST(ExportNames, of_files_stay_in_their_folder)
{
    EXPECT_EQ(file_stem("../../etc/pass wd"), "_._.._etc_pass_wd");
    EXPECT_EQ(file_stem(".."), "__");
    EXPECT_EQ(file_stem("."), "_");
    EXPECT_EQ(file_stem(""), "unnamed");
    EXPECT_EQ(file_stem("W\xC3\xBCrfel-1.5"), "W_rfel-1.5");
    EXPECT_EQ(file_stem(std::string("a\0b\n", 4)), "a_b_");
    EXPECT_EQ(file_stem(std::string(500, 'x')).size(), 80U);
}

TEST(ExportNames, of_prims_are_words)
{
    EXPECT_EQ(prim_name("3 balls"), "_3_balls");
    EXPECT_EQ(prim_name("\xE7\x90\x83"), "_");
    EXPECT_EQ(prim_name(""), "unnamed");
}

TEST(ExportNames, of_lines_come_back)
{
    EXPECT_EQ(line_name("a b\nc"), "a b_c");
    EXPECT_EQ(line_name("#1 #2\\"), "_1 _2_");
    EXPECT_EQ(line_name(" x "), "_x_");
}

TEST(ExportNames, alike_are_told_apart)
{
    DistinctNames distinct;
    EXPECT_EQ(distinct("ball"), "ball");
    EXPECT_EQ(distinct("Ball"), "Ball_2");
    EXPECT_EQ(distinct("ball"), "ball_3");
    EXPECT_EQ(distinct("ball_2"), "ball_2_2");
}

} // namespace rubato::test
