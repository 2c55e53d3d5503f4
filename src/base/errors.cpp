#include "base/errors.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace rubato {

namespace {

/// A character of UTF-8 at the front of a text. Length 0: there is none.
struct Character {
    std::uint32_t code = 0;
    std::size_t length = 0;
};

Character first_character(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
    std::uint32_t code = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        code = (code << 6) | (byte(i) & 0x3Fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; // a longer form of a smaller code is wrong
    if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
    return {code, length};
}

/// What a terminal obeys instead of showing it, or what reorders the text around it.
bool is_control(std::uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || (code >= 0x200E && code <= 0x200F)
        || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string joined(const std::vector<Mistake>& mistakes)
{
    std::string text;
    for (const Mistake& m : mistakes) {
        if (!text.empty()) text += '\n';
        text += m.text();
    }
    return text;
}

} // namespace

std::string printable(std::string_view text)
{
    std::string shown;
    while (!text.empty()) {
        const auto [code, length] = first_character(text);
        if (length == 0) {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        } else if (!is_control(code)) {
            shown += text.substr(0, length);
        } else if (code == '\n' || code == '\r' || code == '\t') {
            shown += code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t";
        } else {
            shown += code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return shown;
}

bool is_utf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = first_character(text).length;
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string Mistake::text() const
{
    std::string s = file; // appended to piece by piece: g++ 12 warns of overlaps in sums that are not there
    if (line > 0) s.append(":").append(std::to_string(line));
    const auto add = [&](const char* between, const std::string& piece) {
        if (!s.empty()) s.append(between);
        s.append(piece);
    };
    if (!key.empty()) add(": ", key);
    if (!value.empty()) add(key.empty() ? ": " : " = ", value);
    add(": ", message);
    return printable(s);
}

InputError::InputError(std::vector<Mistake> mistakes)
    : std::runtime_error(joined(mistakes))
    , mistakes_(std::move(mistakes))
{
}

InputError::InputError(Mistake mistake)
    : InputError(std::vector<Mistake>{std::move(mistake)})
{
}

WriteError::WriteError(std::string path, const std::string& reason)
    : std::runtime_error(printable(path + ": cannot be written: " + reason))
    , path_(std::move(path))
{
}

} // namespace rubato
