#include "record/export/streamed_file.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace rubato {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;

[[noreturn]] void fail(const fs::path& path) { throw WriteError(path.string(), std::strerror(errno)); }

void write_all(int descriptor, const fs::path& path, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(path);
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

} // namespace

StreamedFile::StreamedFile(fs::path path)
    : path_(std::move(path))
{
    static std::atomic<unsigned> count = 0;
    temporary_ = path_.parent_path() / fmt::format(".{}.{}-{}.stream", path_.filename().string(), ::getpid(), count++);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(path_);
}

StreamedFile::~StreamedFile()
{
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
}

void StreamedFile::write(std::string_view bytes)
{
    size_ += bytes.size();
    waiting_ += bytes;
    if (waiting_.size() >= block_bytes) flush();
}

void StreamedFile::flush()
{
    write_all(descriptor_, path_, waiting_);
    waiting_.clear();
}

void StreamedFile::commit()
{
    flush();
    // A full disk may be noticed as late as here.
    if (::close(std::exchange(descriptor_, -1)) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) {
        const int reason = errno;
        ::unlink(temporary_.c_str());
        errno = reason;
        fail(path_);
    }
}

Spool::Spool(const fs::path& folder)
    : folder_(folder)
{
    std::string name = (folder / ".spool-XXXXXX").string();
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail(folder_);
    ::unlink(name.c_str());
}

Spool::~Spool() { ::close(descriptor_); }

Spool::Piece Spool::append(std::string_view bytes)
{
    const Piece piece{flushed_ + waiting_.size(), bytes.size()};
    waiting_ += bytes;
    if (waiting_.size() >= block_bytes) flush();
    return piece;
}

void Spool::flush()
{
    write_all(descriptor_, folder_, waiting_);
    flushed_ += waiting_.size();
    waiting_.clear();
}

void Spool::copy(const Piece& piece, StreamedFile& out)
{
    flush();
    block_.resize(block_bytes);
    for (std::uint64_t done = 0; done < piece.length;) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(block_bytes, piece.length - done));
        const ssize_t n = ::pread(descriptor_, block_.data(), wanted, static_cast<off_t>(piece.offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail(folder_);
        out.write({block_.data(), static_cast<std::size_t>(n)});
        done += static_cast<std::uint64_t>(n);
    }
}

void make_folder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder)) throw WriteError(folder.string(), error ? error.message() : "is not a folder");
}

} // namespace rubato
