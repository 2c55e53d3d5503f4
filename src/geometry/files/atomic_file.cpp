#include "geometry/files/atomic_file.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace rubato {

namespace fs = std::filesystem;

namespace {

/// A file descriptor that closes itself.
class Descriptor {
public:
    Descriptor(const fs::path& path, int flags)
        : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666))
    {
    }
    ~Descriptor()
    {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    bool open() const { return number_ >= 0; }
    bool closed_well() { return ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_;
};

/// Removes the temporary file unless it was renamed.
struct Leftover {
    fs::path path;
    bool kept = true;
    ~Leftover()
    {
        if (kept) ::unlink(path.c_str());
    }
};

std::string errno_text() { return std::strerror(errno); }

bool all_written(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

/// Unique among the processes and threads that may write at the same time.
fs::path temporary_name(const fs::path& path)
{
    static std::atomic<unsigned> count = 0;
    return path.parent_path() / fmt::format(".{}.{}-{}.tmp", path.filename().string(), ::getpid(), count++);
}

} // namespace

void write_atomically(const fs::path& path, std::string_view bytes, bool sync)
{
    struct ::stat there = {};
    if (path.filename().empty()) throw WriteError(path.string(), "this names a folder, not a file");
    if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
        throw WriteError(path.string(), "something that is not a regular file has this name");
    }

    const fs::path temporary = temporary_name(path);
    Descriptor file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (!file.open()) throw WriteError(path.string(), errno_text());
    Leftover leftover{temporary};
    if (!all_written(file.number(), bytes)) throw WriteError(path.string(), errno_text());
    if (sync && ::fsync(file.number()) != 0) throw WriteError(path.string(), errno_text());
    if (!file.closed_well()) throw WriteError(path.string(), errno_text());
    if (::rename(temporary.c_str(), path.c_str()) != 0) throw WriteError(path.string(), errno_text());
    leftover.kept = false;

    if (sync) {
        const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
        Descriptor directory(folder, O_RDONLY | O_DIRECTORY);
        // Some file systems cannot flush a folder (EINVAL); the rename itself has been done.
        if (!directory.open() || (::fsync(directory.number()) != 0 && errno != EINVAL)) {
            throw WriteError(path.string(), errno_text());
        }
    }
}

} // namespace rubato
