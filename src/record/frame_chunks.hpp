#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

/// What reader and writer of the file of frames share: the layout of chunks (docs/frames_file.md).
namespace rubato::frame_chunks {

static_assert(std::endian::native == std::endian::little, "the file is little-endian; bytes would have to be swapped");

inline constexpr std::string_view magic = "RUBATOFR", index_magic = "RUBATOIX";
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint64_t preamble_bytes = 16; ///< before the first chunk
inline constexpr std::uint64_t head_bytes = 16; ///< before the payload of a chunk
inline constexpr std::uint64_t trailer_bytes = 16;
inline constexpr std::uint64_t moment_bytes = 16; ///< time and step at the beginning of a frame

/// What stands before a payload.
struct Head {
    char kind[4];
    std::uint32_t checksum;
    std::uint64_t length;
};
static_assert(sizeof(Head) == head_bytes && std::is_trivially_copyable_v<Head>);

/// Where a frame is, as the index has it.
struct IndexEntry {
    std::uint64_t surface = 0, nodes = 0; ///< offsets of its chunks; 0: none
    double time = 0; ///< [s]
};
static_assert(sizeof(IndexEntry) == 24);

inline std::uint64_t padded(std::uint64_t length) { return (length + 7) / 8 * 8; }

/// Bytes of plain numbers.
template <class T>
std::string_view bytes_of(std::span<const T> values)
{
    static_assert(std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}
template <class T>
std::string_view bytes_of(const T& value)
{
    return bytes_of(std::span<const T>(&value, 1));
}

/// A number out of the middle of a payload.
template <class T>
T number_at(std::string_view bytes, std::uint64_t at)
{
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

/// CRC-32, continued over several pieces: start with 0.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

/// What stands before a payload that consists of these pieces.
Head head_of(const char* kind, std::initializer_list<std::string_view> pieces);

} // namespace rubato::frame_chunks
