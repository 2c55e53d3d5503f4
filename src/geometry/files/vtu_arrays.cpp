/// Binary data of VTK XML files, inline or appended, raw or in base64 (VTK file formats, "XML file formats"):
///
///   not compressed: [bytes] data
///   compressed:     [blocks] [bytes of a block] [bytes of the last block, 0 for a whole one] [bytes of each compressed
///                   block] compressed blocks
///
/// Numbers in brackets are of the header type. In base64 the head and the data may be encoded as one or one after
/// the other, each padded.

#include "geometry/files/vtu_arrays.hpp"

#include "base/errors.hpp"
#include "geometry/files/mesh_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <zlib.h>

namespace rubato {

namespace {

/// No deflated byte stands for more than this many.
constexpr std::uint64_t most_inflation = 1032;

int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    return c == '/' ? 63 : -1;
}

/// Bytes in their order, out of raw ones or base64.
class ByteStream {
public:
    ByteStream(std::string_view source, bool base64)
        : source_(source)
        , base64_(base64)
    {
    }

    /// At most so many bytes can still come.
    std::uint64_t most_left() const { return base64_ ? source_.size() / 4 * 3 + 6 : source_.size(); }

    /// Less than `count` bytes when the source ends or does not hold base64.
    std::string take(std::uint64_t count)
    {
        std::string bytes;
        if (!base64_) {
            bytes = source_.substr(0, count);
            source_.remove_prefix(bytes.size());
            return bytes;
        }
        bytes.reserve(std::min(count, most_left()));
        while (bytes.size() < count && (!pending_.empty() || decode())) {
            const std::size_t n = std::min<std::size_t>(count - bytes.size(), pending_.size());
            bytes.append(pending_, 0, n);
            pending_.erase(0, n);
        }
        return bytes;
    }

private:
    /// The next four characters; false when they are not there.
    bool decode()
    {
        std::uint32_t bits = 0;
        int digits = 0, padding = 0;
        while (digits + padding < 4) {
            if (source_.empty()) return false;
            const char c = source_.front();
            source_.remove_prefix(1);
            if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
            const int value = c == '=' ? 0 : base64_value(c);
            if (value < 0 || (padding > 0 && c != '=') || (c == '=' && digits < 2)) {
                source_ = {};
                return false;
            }
            bits = bits << 6 | static_cast<std::uint32_t>(value);
            c == '=' ? ++padding : ++digits;
        }
        for (int i = 0; i < 3 - padding; ++i) pending_ += static_cast<char>(bits >> (16 - 8 * i) & 0xff);
        return true;
    }

    std::string_view source_;
    bool base64_;
    std::string pending_; ///< decoded, not yet taken; at most three
};

class Payload {
public:
    Payload(const VtuEncoding& encoding, const VtuArray& array)
        : encoding_(encoding)
        , array_(array)
        , stream_(source(encoding, array), array.format == "binary" || encoding.appended_base64)
    {
    }

    /// The data, which must have so many bytes.
    std::string bytes(std::uint64_t expected)
    {
        if (!encoding_.compressed) {
            require_size(length(), expected);
            if (expected > stream_.most_left()) fail_short();
            return taken(expected);
        }
        const std::uint64_t blocks = length(), block = length(), last = length();
        if (blocks > stream_.most_left() / size_of(encoding_.header)) fail_short();
        if (blocks > 0 && (block == 0 || block > most_bytes || last > block)) {
            fail_vtu(
                encoding_, array_, fmt::format("blocks of {} bytes, the last of {}", block, last), "is not possible");
        }
        require_size(blocks == 0 ? 0 : (blocks - 1) * block + (last > 0 ? last : block), expected);
        if (expected > most_inflation * stream_.most_left() + 64) fail_short();
        std::vector<std::uint64_t> sizes(blocks);
        for (std::uint64_t& size : sizes) size = length();
        std::string data(expected, '\0');
        std::uint64_t at = 0;
        for (const std::uint64_t size : sizes) {
            if (size > stream_.most_left()) fail_short();
            const std::string packed = taken(size);
            uLongf room = std::min(block, expected - at);
            const uLongf wanted = room;
            const int status = ::uncompress(reinterpret_cast<Bytef*>(data.data() + at), &room,
                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
            if (status != Z_OK || room != wanted) {
                fail_vtu(encoding_, array_, "damaged data", "cannot be decompressed by zlib");
            }
            at += wanted;
        }
        return data;
    }

private:
    static constexpr std::uint64_t most_bytes = std::uint64_t(1) << 31;

    static std::string_view source(const VtuEncoding& encoding, const VtuArray& array)
    {
        if (array.format == "binary") return array.text;
        if (array.offset >= encoding.appended.size()) {
            fail_vtu(encoding, array, fmt::format("offset {}", array.offset),
                fmt::format("there are {} bytes of appended data", encoding.appended.size()));
        }
        return encoding.appended.substr(array.offset);
    }

    [[noreturn]] void fail_short() const
    {
        fail_vtu(encoding_, array_, "end of data", "the data are cut short or damaged");
    }

    void require_size(std::uint64_t found, std::uint64_t expected) const
    {
        if (found != expected) {
            fail_vtu(encoding_, array_, fmt::format("{} bytes", found), fmt::format("must have {} bytes", expected));
        }
    }

    std::string taken(std::uint64_t count)
    {
        std::string bytes = stream_.take(count);
        if (bytes.size() < count) fail_short();
        return bytes;
    }

    std::uint64_t length()
    {
        const std::string bytes = taken(size_of(encoding_.header));
        return static_cast<std::uint64_t>(integer_at(bytes.data(), encoding_.header, encoding_.swapped));
    }

    const VtuEncoding& encoding_;
    const VtuArray& array_;
    ByteStream stream_;
};

/// Calls `text(source)` or `binary(bytes, type)` for each number.
template <class T, class Text, class Binary>
std::vector<T> numbers(
    const VtuEncoding& encoding, const VtuArray& array, std::uint64_t count, Scalar type, Text text, Binary binary)
{
    std::vector<T> values;
    if (array.format == "ascii") {
        MeshSource source(encoding.file, array.text, array.line, false);
        source.begin_record(array.name.c_str());
        source.require_room(count, 1, "count of numbers");
        values.reserve(count);
        for (std::uint64_t i = 1; i <= count; ++i) {
            source.begin_record(array.name.c_str(), i);
            values.push_back(text(source));
        }
        source.begin_record(array.name.c_str());
        if (!source.at_end()) {
            source.fail("numbers", "more", fmt::format("there must be {}", count));
        }
    } else if (array.format == "binary" || array.format == "appended") {
        const std::string bytes = Payload(encoding, array).bytes(count * size_of(type));
        values.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) values.push_back(binary(bytes.data() + i * size_of(type)));
    } else {
        fail_vtu(encoding, array, "format " + array.format, "must be ascii, binary or appended");
    }
    return values;
}

Scalar known_scalar(const VtuEncoding& encoding, const VtuArray& array)
{
    const std::optional<Scalar> type = vtu_scalar(array.type);
    if (!type) fail_vtu(encoding, array, "type " + array.type, "must be Float32, Float64, Int8 ... UInt64");
    return *type;
}

} // namespace

void fail_vtu(const VtuEncoding& encoding, const VtuArray& array, const std::string& found, const std::string& allowed)
{
    throw InputError({encoding.file, array.line, "array '" + array.name + "'", found, allowed});
}

std::optional<Scalar> vtu_scalar(std::string_view type)
{
    constexpr std::string_view names[]
        = {"Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Float32", "Float64"};
    const auto found = std::find(std::begin(names), std::end(names), type);
    if (found == std::end(names)) return {};
    return static_cast<Scalar>(found - std::begin(names));
}

std::vector<double> vtu_reals(const VtuEncoding& encoding, const VtuArray& array, std::uint64_t count)
{
    const Scalar type = known_scalar(encoding, array);
    return numbers<double>(
        encoding, array, count, type, [](MeshSource& source) { return source.text_real("number"); },
        [&](const char* bytes) {
            const double value = real_at(bytes, type, encoding.swapped);
            if (!std::isfinite(value)) fail_vtu(encoding, array, fmt::format("{}", value), "must be finite numbers");
            return value;
        });
}

std::vector<std::int64_t> vtu_integers(const VtuEncoding& encoding, const VtuArray& array, std::uint64_t count)
{
    const Scalar type = known_scalar(encoding, array);
    if (!is_integer(type)) fail_vtu(encoding, array, "type " + array.type, "must be an integer type");
    return numbers<std::int64_t>(
        encoding, array, count, type, [&](MeshSource& source) { return source.integer("number", type); },
        [&](const char* bytes) { return integer_at(bytes, type, encoding.swapped); });
}

std::vector<std::string> vtu_strings(const VtuEncoding& encoding, const VtuArray& array)
{
    MeshSource source(encoding.file, array.text, array.line, false);
    std::vector<std::string> words;
    std::string word;
    while (!source.at_end()) {
        source.begin_record(array.name.c_str());
        const std::int32_t code = source.text_integer("character");
        if (code < -128 || code > 255) source.fail("character", fmt::format("{}", code), "must be from 0 to 255");
        if (code == 0) {
            words.push_back(word);
            word.clear();
        } else {
            word += static_cast<char>(code);
        }
    }
    if (!word.empty()) words.push_back(word);
    return words;
}

} // namespace rubato
