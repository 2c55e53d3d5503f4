#include "record/fingerprint.hpp"

#include <fmt/format.h>

namespace rubato {

std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed)
{
    for (const char byte : bytes) seed = (seed ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3u;
    return seed;
}

std::string fingerprint_text(std::uint64_t fingerprint) { return fmt::format("{:016x}", fingerprint); }

FileMark mark_of(std::string name, std::string_view bytes)
{
    return {std::move(name), bytes.size(), fingerprint(bytes)};
}

} // namespace rubato
