#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/memory.hpp"
#include "base/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace rubato {
namespace {

namespace fs = std::filesystem;

std::string refusal(const fs::path& file)
{
    try {
        file_bytes(file);
    } catch (const InputError& error) {
        EXPECT_EQ(error.mistakes().size(), 1u);
        EXPECT_EQ(error.mistakes().front().file, file.string());
        EXPECT_EQ(error.mistakes().front().message, why_unreadable(file));
        return error.mistakes().front().message;
    }
    EXPECT_EQ(why_unreadable(file), "");
    return "";
}

TEST(InputFile, GivesAllBytesOrAPart)
{
    const TemporaryFolder folder("input-files");
    const fs::path file = folder / "a";
    const std::string bytes("zero \0 and\n more", 16);
    std::ofstream(file, std::ios::binary) << bytes;
    EXPECT_EQ(file_bytes(file), bytes);
    const InputFile open(file);
    EXPECT_EQ(open.size(), bytes.size());
    std::string part(6, '?');
    EXPECT_EQ(open.read(12, part.data(), part.size()), 4u);
    EXPECT_EQ(part, "more??");
    EXPECT_EQ(open.read(1000, part.data(), part.size()), 0u);
}

TEST(InputFile, IsNothingWhereItCannotBeOpened)
{
    const TemporaryFolder folder("input-files");
    const fs::path file = folder / "a";
    EXPECT_FALSE(InputFile::if_readable(file));
    EXPECT_FALSE(InputFile::if_readable(file.parent_path()));
    EXPECT_FALSE(InputFile::if_readable(std::string("a\0b", 3)));
    std::ofstream(file) << "text";
    const auto open = InputFile::if_readable(file);
    ASSERT_TRUE(open);
    EXPECT_EQ(open->path(), file);
    EXPECT_EQ(open->size(), 4u);
    fs::remove(file); // what was opened stays
    std::string bytes(4, '?');
    EXPECT_EQ(open->read(0, bytes.data(), bytes.size()), 4u);
    EXPECT_EQ(bytes, "text");
}

TEST(InputFile, RefusesWhatIsNoRegularFileAtOnce)
{
    const TemporaryFolder folder("input-files");
    const fs::path at = (folder / "a").parent_path();
    ASSERT_EQ(::mkfifo((at / "pipe").c_str(), 0600), 0);
    fs::create_symlink("pipe", at / "link");
    fs::create_symlink("b", at / "a");
    fs::create_symlink("a", at / "b");
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT((at / "socket").native().size(), sizeof address.sun_path);
    std::strcpy(address.sun_path, (at / "socket").c_str());
    ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ::close(socket);

    EXPECT_EQ(refusal(at / "pipe"), "is a pipe; a regular file is needed");
    EXPECT_EQ(refusal(at / "link"), "is a pipe; a regular file is needed");
    EXPECT_EQ(refusal(at), "is a folder; a regular file is needed");
    EXPECT_EQ(refusal("/dev/zero"), "is a device; a regular file is needed");
    EXPECT_EQ(refusal(at / "socket"), "is a socket or a device; a regular file is needed");
    EXPECT_EQ(refusal(at / "a"), "cannot be opened: its symbolic links lead in a circle");
    EXPECT_EQ(refusal(at / "none"), "there is no such file");
    EXPECT_EQ(refusal(at / "none" / "a"), "there is no such file");
}

TEST(InputFile, RefusesMoreThanIsAllowedOrFitsIntoMemory)
{
    const TemporaryFolder folder("input-files");
    const fs::path file = folder / "holes";
    std::ofstream(file) << "x";
    fs::resize_file(file, 1000);
    EXPECT_EQ(file_bytes(file, 1000).size(), 1000u);
    EXPECT_THROW(file_bytes(file, 999), InputError);
    fs::resize_file(file, std::uintmax_t{1} << 40); // holes take nothing on the disk
    EXPECT_THROW(file_bytes(file), InputError);
}

TEST(InputFile, ReadsFilesOfTheSystemThatSayTheyAreEmpty)
{
    ASSERT_EQ(InputFile("/proc/self/status").size(), 0u);
    const std::string status = file_bytes("/proc/self/status");
    EXPECT_EQ(status.rfind("Name:", 0), 0u) << status;
    EXPECT_EQ(status.back(), '\n');
    EXPECT_THROW(file_bytes("/proc/self/status", 10), InputError);
    // A page of it at a time.
    const std::string maps = file_bytes("/proc/self/smaps");
    EXPECT_GT(maps.size(), 5000u);
    EXPECT_EQ(maps.back(), '\n');
    const TemporaryFolder folder("input-files");
    std::ofstream(folder / "empty").close();
    EXPECT_EQ(file_bytes(folder / "empty"), "");
    EXPECT_EQ(file_bytes(folder / "empty", 0), "");
}

TEST(Memory, CountsTheSwapSpace)
{
    const TemporaryFolder folder("memory");
    const fs::path file = folder / "meminfo";
    std::ofstream(file) << "MemTotal: 900 kB\nMemAvailable:     500 kB\nSwapTotal: 800 kB\nSwapFree:  250 kB\n";
    EXPECT_EQ(free_on_machine(file.c_str()), 750 * 1024.0);
    std::ofstream(file) << "MemTotal: 900 kB\nMemAvailable:     500 kB\n";
    EXPECT_EQ(free_on_machine(file.c_str()), 500 * 1024.0);
    std::ofstream(file) << "nothing of the kind\n";
    EXPECT_GT(free_on_machine(file.c_str()), 1e18);
}

TEST(Memory, TellsWhatDoesNotFit)
{
    EXPECT_GT(available_memory(), 1e6);
    EXPECT_EQ(why_no_room(1), "");
    EXPECT_EQ(why_no_room(1e19).find("needs about 1e+10 GB of memory, and "), 0u) << why_no_room(1e19);
    EXPECT_EQ(bytes_text(2.5e6), "2.5 MB");
}

} // namespace
} // namespace rubato
