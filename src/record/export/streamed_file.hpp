#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rubato {

/// A file too large for memory that is there whole or not at all: bytes go to a temporary name in the same folder,
/// which `commit` renames. Without it nothing remains. Throws WriteError.
class StreamedFile {
public:
    explicit StreamedFile(std::filesystem::path path);
    ~StreamedFile();
    StreamedFile(const StreamedFile&) = delete;
    StreamedFile& operator=(const StreamedFile&) = delete;

    void write(std::string_view bytes);
    void commit();
    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return size_; } ///< written so far

private:
    void flush();

    std::filesystem::path path_, temporary_;
    int descriptor_ = -1;
    std::string waiting_;
    std::uint64_t size_ = 0;
};

/// Bytes set aside on the disk, to be copied elsewhere in another order. The file has no name: it is gone with the
/// process, however that ends.
class Spool {
public:
    struct Piece {
        std::uint64_t offset = 0, length = 0;
        bool operator==(const Piece&) const = default;
    };

    explicit Spool(const std::filesystem::path& folder);
    ~Spool();
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;

    Piece append(std::string_view bytes);
    void copy(const Piece& piece, StreamedFile& out);

private:
    void flush();

    std::filesystem::path folder_;
    int descriptor_ = -1;
    std::string waiting_, block_;
    std::uint64_t flushed_ = 0; ///< bytes on the disk
};

/// Makes the folder of an export and those above it. Throws WriteError.
void make_folder(const std::filesystem::path& folder);

} // namespace rubato
