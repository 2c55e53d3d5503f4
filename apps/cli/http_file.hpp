#pragma once

#include <cstdint>
#include <filesystem>
#include <httplib.h>
#include <string>
#include <vector>

#undef _res // a macro of the system's headers, and a name in Eigen

namespace rubato::cli {

/// Bytes of a file, both ends included.
struct ByteRange {
    std::uint64_t first = 0, last = 0;
};

/// What the text of a Range header asks of a file of so many bytes, cut to what the file has. Empty: nothing of it, or
/// more ranges than are honoured.
std::vector<ByteRange> ranges_within(const std::string& header, std::uint64_t size);

/// Answers with a file, or with those ranges of it that the request asks for. It may be larger than memory, and grow.
/// 404 where it cannot be opened, 416 where it has nothing of what is asked for. The library's own ranges are not used:
/// it announces bytes beyond the end of a file.
void send_file(const std::filesystem::path& file, const std::string& type, const httplib::Request& request,
    httplib::Response& response);

} // namespace rubato::cli
