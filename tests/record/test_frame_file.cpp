#include "base/errors.hpp"
#include "geometry/files/write_obj.hpp"
#include "record/fixture.hpp"
#include "record/frame_file_writer.hpp"

#include <csignal>
#include <sys/wait.h>

namespace rubato::test {

namespace {

/// One triangle that is the base of one tetrahedron; a frame is told from others by its numbers.
FrameFileParts parts()
{
    FrameFileParts all;
    all.header = {.program = "1.2.3",
        .scene = "a \"scene\"",
        .integrator = "a-search",
        .step = 0.125,
        .up = Vec3::UnitZ(),
        .ground = -0.5,
        .points = 3,
        .triangles = 1,
        .bodies = {{"thing", false, 0, 3, 0, 1}},
        .fields = {{"position", "m", 3}, {"stress", "Pa", 1}},
        .nodes = 4,
        .tetrahedra = 1,
        .node_fields = {{"position", "m", 3}}};
    TriangleMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.triangles = {{0, 1, 2}};
    const std::vector<double> x{0, 0, 0, 1, 0, 0, 0, 1, 0};
    all.surface = obj_bytes("surface", surface_of(mesh), x);
    all.triangles = mesh.triangles;
    all.rest = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    all.tetrahedra = {{0, 1, 2, 3}};
    all.node_rest = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    return all;
}

void append(FrameFileWriter& writer, int number)
{
    FrameMoment& moment = writer.next();
    moment.time = 0.1 * number;
    moment.step = 7 * number;
    moment.points.assign(12, static_cast<float>(number));
    moment.points.back() = 99;
    moment.nodes.assign(12, static_cast<float>(-number));
    writer.append();
}

std::filesystem::path written(const Folder& folder, int frames, bool closed)
{
    FrameFileWriter writer;
    const auto file = folder / "frames.rbt";
    writer.create(file, parts());
    for (int i = 0; i < frames; ++i) append(writer, i);
    if (closed)
        writer.close();
    else
        writer.mark();
    return file;
}

void expect_frames(FrameReader& reader, int count)
{
    ASSERT_EQ(reader.count(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const Frame frame = reader.frame(static_cast<std::size_t>(i));
        EXPECT_EQ(frame.time, 0.1 * i);
        EXPECT_EQ(reader.time(static_cast<std::size_t>(i)), 0.1 * i);
        EXPECT_EQ(frame.step, 7 * i);
        EXPECT_EQ(frame.field(reader.header().fields, 3, "position")[8], static_cast<float>(i));
        EXPECT_EQ(frame.field(reader.header().fields, 3, "stress")[2], 99.0F);
        EXPECT_TRUE(frame.field(reader.header().fields, 3, "velocity").empty());
        EXPECT_EQ(reader.node_frame(static_cast<std::size_t>(i)).values.at(11), static_cast<float>(-i));
    }
}

} // namespace

TEST(FrameFileTest, gives_back_what_was_written)
{
    const Folder folder;
    FrameReader reader(written(folder, 5, true));
    EXPECT_EQ(reader.header().text(), parts().header.text());
    EXPECT_EQ(reader.surface().vertices.size(), 3U);
    EXPECT_EQ(reader.triangles(), parts().triangles);
    EXPECT_EQ(reader.tetrahedra(), parts().tetrahedra);
    EXPECT_EQ(reader.rest(), parts().rest);
    EXPECT_EQ(reader.node_rest(), parts().node_rest);
    expect_frames(reader, 5);
}

TEST(FrameFileTest, is_readable_while_it_grows)
{
    const Folder folder;
    FrameReader reader(written(folder, 4, false));
    expect_frames(reader, 4);
}

TEST(FrameFileTest, tells_whether_somebody_is_writing_it)
{
    Folder folder;
    const auto file = folder / "frames.rbt";
    EXPECT_FALSE(being_written(file)) << "there is none";
    FrameFileWriter writer;
    writer.create(file, parts());
    append(writer, 0);
    EXPECT_TRUE(being_written(file));
    const FrameFileMark mark = writer.mark();
    writer.close();
    EXPECT_FALSE(being_written(file));
    writer.reopen(file, mark);
    EXPECT_TRUE(being_written(file));
    writer.close();
    EXPECT_FALSE(being_written(file));
}

TEST(FrameFileTest, knows_that_a_killed_run_writes_no_more)
{
    Folder folder;
    const auto file = folder / "frames.rbt";
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        FrameFileWriter writer;
        writer.create(file, parts());
        append(writer, 0);
        writer.mark();
        (void)!::write(ready[1], "!", 1);
        while (true) ::pause();
    }
    char word = 0;
    ASSERT_EQ(::read(ready[0], &word, 1), 1);
    EXPECT_TRUE(being_written(file));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    EXPECT_FALSE(being_written(file));
    EXPECT_EQ(FrameReader(file).count(), 1U);
}

TEST(FrameFileTest, a_file_cut_anywhere_keeps_its_whole_frames)
{
    const Folder folder;
    const std::string bytes = contents(written(folder, 3, false));
    std::size_t before = 0;
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
        put(folder / "cut.rbt", bytes.substr(0, length));
        try {
            FrameReader reader(folder / "cut.rbt");
            for (std::size_t i = 0; i < reader.count(); ++i)
                EXPECT_EQ(reader.frame(i).time, 0.1 * static_cast<double>(i));
            EXPECT_GE(reader.count(), before);
            before = reader.count();
        } catch (const InputError&) {
            EXPECT_EQ(before, 0U) << "length " << length; // only the parts before the frames are needed
        }
    }
    EXPECT_EQ(before, 3U);
}

TEST(FrameFileTest, a_flipped_bit_is_never_taken_for_a_number)
{
    const Folder folder;
    const std::string good = contents(written(folder, 2, true));
    FrameReader whole(folder / "frames.rbt");
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        put(folder / "bad.rbt", bytes);
        try {
            FrameReader reader(folder / "bad.rbt");
            EXPECT_EQ(reader.header().text(), whole.header().text());
            EXPECT_LE(reader.count(), 2U);
            for (std::size_t i = 0; i < reader.count(); ++i) {
                EXPECT_EQ(reader.frame(i).values, whole.frame(i).values) << "byte " << at;
            }
        } catch (const InputError&) {
        }
    }
}

TEST(FrameFileTest, goes_on_behind_a_mark_with_the_same_bytes)
{
    const Folder folder;
    const std::string through = contents(written(folder, 4, true));
    FrameFileMark mark;
    {
        FrameFileWriter writer;
        writer.create(folder / "two.rbt", parts());
        append(writer, 0);
        append(writer, 1);
        mark = writer.mark();
        append(writer, 17); // will be cut off
        writer.close();
    }
    FrameFileWriter writer;
    writer.reopen(folder / "two.rbt", mark);
    append(writer, 2);
    append(writer, 3);
    writer.close();
    EXPECT_EQ(contents(folder / "two.rbt"), through);

    put(folder / "short.rbt", through.substr(0, 40));
    EXPECT_THROW(FrameFileWriter().reopen(folder / "short.rbt", mark), InputError);
}

TEST(FrameFileTest, a_number_that_is_not_finite_is_refused)
{
    const Folder folder;
    FrameFileWriter writer;
    writer.create(folder / "frames.rbt", parts());
    FrameMoment& moment = writer.next();
    moment.points.assign(12, 1);
    moment.nodes.assign(12, 1);
    moment.nodes[5] = std::numeric_limits<float>::infinity();
    EXPECT_THROW(writer.append(), WriteError);
}

/// Whoever wrote it knew the checksum: another program, or one that is wrong.
TEST(FrameFileTest, a_number_that_is_not_finite_is_not_read_either)
{
    using namespace frame_chunks;
    const Folder folder;
    const std::string good = contents(written(folder, 2, true));
    const float infinite = std::numeric_limits<float>::infinity();
    const double never = std::numeric_limits<double>::quiet_NaN();
    const auto with_number = [&](const char* kind, std::uint64_t at, std::string_view number) {
        std::string bytes = good;
        for (std::uint64_t offset = preamble_bytes; offset + head_bytes <= bytes.size();) {
            auto head = number_at<Head>(bytes, offset);
            if (std::string_view(head.kind, 4) == kind) {
                bytes.replace(offset + head_bytes + at, number.size(), number);
                head.checksum = checksum(std::string_view(bytes).substr(offset + head_bytes, head.length));
                bytes.replace(offset, sizeof head, bytes_of(head));
                break;
            }
            offset += head_bytes + padded(head.length);
        }
        EXPECT_NE(bytes, good) << kind;
        put(folder / "bad.rbt", bytes);
        return FrameReader(folder / "bad.rbt");
    };
    EXPECT_THROW(with_number("FRAM", moment_bytes + 4, bytes_of(infinite)).frame(0), InputError);
    EXPECT_THROW(with_number("NODE", moment_bytes + 8, bytes_of(infinite)).node_frame(0), InputError);
    EXPECT_THROW(with_number("FRAM", 0, bytes_of(never)).frame(0), InputError);
    EXPECT_THROW(with_number("REST", 0, bytes_of(infinite)).rest(), InputError);
    FrameReader walked = with_number("INDX", 8 + 16, bytes_of(never));
    expect_frames(walked, 2); // an index that is wrong is made anew
}

TEST(FrameFileTest, a_full_disk_is_told_and_nothing_hangs)
{
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
    FrameFileWriter writer;
    const auto write = [&] {
        writer.create("/dev/full", parts());
        for (int i = 0; i < 10; ++i) append(writer, i);
        writer.close();
    };
    EXPECT_THROW(write(), WriteError);
}

} // namespace rubato::test
