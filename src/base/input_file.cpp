#include "base/input_file.hpp"

#include "base/errors.hpp"
#include "base/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace rubato {

namespace {

/// What stands in place of a regular file.
const char* kind_of(mode_t mode)
{
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

std::string reason(int error)
{
    if (error == ENOENT) return "there is no such file";
    if (error == ELOOP) return "cannot be opened: its symbolic links lead in a circle";
    if (error == ENXIO) return "is a socket or a device; a regular file is needed"; // what open says of a socket
    return fmt::format("cannot be opened: {}", std::strerror(error));
}

/// Opens it; otherwise says in `why` what is wrong and returns -1.
int opened(const std::filesystem::path& path, std::uint64_t& size, std::string& why)
{
    if (path.native().find('\0') != std::string::npos) {
        why = "cannot be opened: its name holds a null character";
        return -1;
    }
    // O_NONBLOCK: a pipe must be refused, not waited for. O_NOCTTY: a terminal must not become ours.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct ::stat found = {};
    if (descriptor < 0 || ::fstat(descriptor, &found) != 0) {
        why = reason(errno);
    } else if (!S_ISREG(found.st_mode)) {
        why = fmt::format("is {}; a regular file is needed", kind_of(found.st_mode));
    } else {
        size = static_cast<std::uint64_t>(found.st_size);
        return descriptor;
    }
    if (descriptor >= 0) ::close(descriptor);
    return -1;
}

[[noreturn]] void refuse_size(const std::filesystem::path& path, std::uint64_t size)
{
    refuse_file(path, fmt::format("cannot be read: {} bytes do not fit into memory", size));
}

/// So many bytes of room, which may not be there.
void resize(std::string& bytes, std::uint64_t size, const std::filesystem::path& path)
{
    if (static_cast<double>(size) > available_memory()) refuse_size(path, size);
    try {
        bytes.resize(size);
    } catch (const std::exception&) { // bad_alloc or length_error
        refuse_size(path, size);
    }
}

/// All bytes of a file that says it has none, as those in /proc do. Ends early when there are more than `most`.
std::string bytes_to_the_end(const InputFile& file, std::uint64_t most)
{
    std::string bytes;
    for (std::uint64_t size = 1 << 16;; size *= 2) {
        const std::size_t before = bytes.size();
        resize(bytes, size, file.path());
        const std::size_t got = file.read(before, bytes.data() + before, bytes.size() - before);
        if (before + got < bytes.size() || before + got > most) {
            bytes.resize(before + got);
            return bytes;
        }
    }
}

} // namespace

void refuse_file(const std::filesystem::path& file, std::string why)
{
    throw InputError(Mistake{.file = file.string(), .message = std::move(why)});
}

InputFile::InputFile(std::filesystem::path path)
    : path_(std::move(path))
{
    std::string why;
    descriptor_ = opened(path_, size_, why);
    if (descriptor_ < 0) refuse_file(path_, std::move(why));
}

InputFile::InputFile(std::filesystem::path path, int descriptor, std::uint64_t size)
    : path_(std::move(path))
    , descriptor_(descriptor)
    , size_(size)
{
}

std::optional<InputFile> InputFile::if_readable(std::filesystem::path path)
{
    std::uint64_t size = 0;
    std::string why;
    const int descriptor = opened(path, size, why);
    if (descriptor < 0) return {};
    return InputFile(std::move(path), descriptor, size);
}

InputFile::~InputFile()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_))
    , descriptor_(std::exchange(other.descriptor_, -1))
    , size_(other.size_)
{
}

std::size_t InputFile::read(std::uint64_t offset, char* out, std::size_t size) const
{
    std::size_t done = 0;
    while (done < size) {
        const ssize_t n = ::pread(descriptor_, out + done, size - done, static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) refuse_file(path_, fmt::format("cannot be read: {}", std::strerror(errno)));
        if (n == 0) break;
        done += static_cast<std::size_t>(n);
    }
    return done;
}

std::string file_bytes(const std::filesystem::path& path, std::uint64_t most)
{
    const InputFile file(path);
    const auto require_few = [&](std::uint64_t size, const char* at_least) {
        if (size > most) refuse_file(path, fmt::format("has {}{} bytes; at most {} are read", at_least, size, most));
    };
    require_few(file.size(), "");
    if (file.size() == 0) {
        std::string bytes = bytes_to_the_end(file, most);
        require_few(bytes.size(), "at least ");
        return bytes;
    }
    std::string bytes;
    resize(bytes, file.size(), path);
    bytes.resize(file.read(0, bytes.data(), bytes.size()));
    return bytes;
}

std::string why_unreadable(const std::filesystem::path& path)
{
    std::uint64_t size = 0;
    std::string why;
    const int descriptor = opened(path, size, why);
    if (descriptor >= 0) ::close(descriptor);
    return why;
}

} // namespace rubato
