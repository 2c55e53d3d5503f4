#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

namespace rubato {

/// A regular file that is open for reading. Every file that a user names, or that lies in a run directory, is opened
/// here. Only a regular file is sure to end: opening a pipe waits for its other end, a device may give bytes forever,
/// and a folder opens but cannot be read.
class InputFile {
public:
    /// InputError for a file that is missing or unreadable, for links that lead in a circle, and for what is no regular
    /// file: a folder, a pipe, a device, a socket.
    explicit InputFile(std::filesystem::path path);
    ~InputFile();
    InputFile(InputFile&& other) noexcept;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    int descriptor() const { return descriptor_; } ///< for locks
    std::uint64_t size() const { return size_; } ///< when it was opened [bytes]; 0 also for many files in /proc

    /// Reads from byte `offset` on. Returns how many bytes there were: fewer than `size` only at the end of the file.
    /// Any thread may call it. InputError when the disk refuses.
    std::size_t read(std::uint64_t offset, char* out, std::size_t size) const;

    /// A file that may be missing or unreadable: then nothing. Looking first and opening later would be wrong where
    /// files come and go.
    static std::optional<InputFile> if_readable(std::filesystem::path path);

private:
    InputFile(std::filesystem::path path, int descriptor, std::uint64_t size);

    std::filesystem::path path_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

/// All bytes of a regular file, as InputFile opens it. InputError also for a file that is larger than `most` [bytes] or
/// than the memory that is free.
std::string file_bytes(
    const std::filesystem::path& path, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// Throws the InputError that names a file and says what is wrong with it.
[[noreturn]] void refuse_file(const std::filesystem::path& file, std::string why);

/// Why a file cannot be read, as InputFile would say it; empty: it can be opened. For messages: who then reads the file
/// takes InputFile::if_readable.
std::string why_unreadable(const std::filesystem::path& path);

} // namespace rubato
