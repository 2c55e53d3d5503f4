#include "http_file.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <random>
#include <string_view>

namespace rubato::cli {

namespace {

constexpr std::size_t most_bytes = 1 << 20; ///< that one piece of an answer holds
constexpr std::size_t most_ranges = 4; ///< in a request; each may be all of the file

/// A number that fills the whole text; nothing if it is another text, or larger than any file.
std::optional<std::uint64_t> whole_number(std::string_view text)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

/// "FIRST-LAST", "FIRST-" or "-LENGTH", as RFC 9110 has it.
std::optional<ByteRange> range_within(std::string_view text, std::uint64_t size)
{
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos || size == 0) return {};
    const auto before = whole_number(text.substr(0, dash)), after = whole_number(text.substr(dash + 1));
    if (dash == 0) {
        if (!after || *after == 0) return {};
        return ByteRange{.first = size - std::min(*after, size), .last = size - 1};
    }
    const bool open = dash + 1 == text.size();
    if (!before || *before >= size || (!open && (!after || *after < *before))) return {};
    return ByteRange{.first = *before, .last = open ? size - 1 : std::min(*after, size - 1)};
}

std::string content_range(const ByteRange& range, std::uint64_t size)
{
    return fmt::format("bytes {}-{}/{}", range.first, range.last, size);
}

/// Part of an answer: a text, or else bytes of the file.
struct Piece {
    std::string text;
    std::uint64_t from = 0, size = 0;
};

Piece piece_of(const ByteRange& range)
{
    return {.text = {}, .from = range.first, .size = range.last - range.first + 1};
}

Piece piece_of(std::string text) { return {.text = text, .from = 0, .size = text.size()}; }

/// A line that no file holds, but by chance.
std::string new_boundary()
{
    std::random_device random;
    return fmt::format("rubato-{:08x}{:08x}{:08x}", random(), random(), random());
}

/// Several ranges in one body, each with a head of its own (multipart/byteranges).
std::vector<Piece> parts_of(
    const std::vector<ByteRange>& ranges, const std::string& type, std::uint64_t size, const std::string& boundary)
{
    std::vector<Piece> pieces;
    for (const ByteRange& range : ranges) {
        pieces.push_back(piece_of(fmt::format("{}--{}\r\nContent-Type: {}\r\nContent-Range: {}\r\n\r\n",
            pieces.empty() ? "" : "\r\n", boundary, type, content_range(range, size))));
        pieces.push_back(piece_of(range));
    }
    pieces.push_back(piece_of(fmt::format("\r\n--{}--\r\n", boundary)));
    return pieces;
}

/// Writes what begins `offset` bytes after the beginning of all pieces. False: there is no more, though there should
/// be.
bool write_next(
    const InputFile& in, const std::vector<Piece>& pieces, std::uint64_t offset, const httplib::DataSink& sink)
{
    for (const Piece& piece : pieces) {
        if (offset >= piece.size) {
            offset -= piece.size;
            continue;
        }
        if (!piece.text.empty()) return sink.write(piece.text.data() + offset, piece.text.size() - offset);
        std::string bytes(std::min<std::uint64_t>(piece.size - offset, most_bytes), '\0');
        try {
            bytes.resize(in.read(piece.from + offset, bytes.data(), bytes.size()));
        } catch (const InputError&) {
            return false; // the disk refuses, and the head is gone: all that is left is to close the connection
        }
        return !bytes.empty() && sink.write(bytes.data(), bytes.size()); // empty: the file became shorter
    }
    return false;
}

} // namespace

std::vector<ByteRange> ranges_within(const std::string& header, std::uint64_t size)
{
    constexpr std::string_view unit = "bytes=";
    std::string_view rest = header;
    if (!rest.starts_with(unit)) return {};
    rest.remove_prefix(unit.size());
    std::vector<ByteRange> ranges;
    for (std::size_t count = 0; !rest.empty(); ++count) {
        if (count == most_ranges) return {};
        const std::size_t comma = std::min(rest.find(','), rest.size());
        std::string_view text = rest.substr(0, comma);
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        if (const auto range = range_within(text, size)) ranges.push_back(*range);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return ranges;
}

void send_file(const std::filesystem::path& file, const std::string& type, const httplib::Request& request,
    httplib::Response& response)
{
    std::optional<InputFile> opened = InputFile::if_readable(file);
    if (!opened) {
        response.status = 404;
        return;
    }
    const auto in = std::make_shared<const InputFile>(std::move(*opened));
    const std::uint64_t size = in->size();
    response.set_header("Accept-Ranges", "bytes");
    std::vector<Piece> pieces;
    std::string answered = type;
    if (request.method == "GET" && request.has_header("Range")) {
        const std::vector<ByteRange> ranges = ranges_within(request.get_header_value("Range"), size);
        if (ranges.empty()) {
            response.status = 416;
            response.set_header("Content-Range", fmt::format("bytes */{}", size));
            return;
        }
        response.status = 206;
        if (ranges.size() == 1) {
            response.set_header("Content-Range", content_range(ranges[0], size));
            pieces.push_back(piece_of(ranges[0]));
        } else {
            const std::string boundary = new_boundary();
            pieces = parts_of(ranges, type, size, boundary);
            answered = fmt::format("multipart/byteranges; boundary={}", boundary);
        }
    } else {
        response.status = 200;
        if (size == 0) return response.set_content("", type);
        pieces.push_back(piece_of(ByteRange{.first = 0, .last = size - 1}));
    }
    std::uint64_t length = 0;
    for (const Piece& piece : pieces) length += piece.size;
    response.set_content_provider(length, answered,
        [in, pieces = std::move(pieces)](std::size_t offset, std::size_t, const httplib::DataSink& sink) {
            return write_next(*in, pieces, offset, sink);
        });
}

} // namespace rubato::cli
