#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rubato {

/// 64-bit FNV-1a hash; `seed` continues an earlier one. Any one byte that changes changes it.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed = 0xcbf29ce484222325u);

/// As summary.json has it: sixteen hexadecimal digits.
std::string fingerprint_text(std::uint64_t fingerprint);

/// What a file held when it was written, or first read.
struct FileMark {
    std::string name; ///< relative to the run directory
    std::uint64_t bytes = 0; ///< its length
    std::uint64_t fingerprint = 0;

    bool operator==(const FileMark&) const = default;
};
FileMark mark_of(std::string name, std::string_view bytes);

} // namespace rubato
