#include "record/export/names.hpp"

#include <algorithm>

namespace rubato {

namespace {

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool digit(char c) { return c >= '0' && c <= '9'; }
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; } ///< in UTF-8

/// One '_' for each character that is not kept, whatever its length in bytes.
template <class Kept>
std::string replaced(std::string_view name, Kept kept)
{
    std::string text;
    for (const char c : name) {
        if (kept(c)) {
            text += c;
        } else if (begins_character(c)) {
            text += '_';
        }
    }
    return text;
}

constexpr std::size_t longest_stem = 80; ///< file systems allow 255 with number and ending

} // namespace

std::string DistinctNames::operator()(const std::string& name)
{
    const auto lower = [](std::string text) {
        for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        return text;
    };
    std::string distinct = name;
    for (int i = 2; !taken_.insert(lower(distinct)).second; ++i) distinct = name + "_" + std::to_string(i);
    return distinct;
}

std::string file_stem(std::string_view name)
{
    std::string stem = replaced(name, [](char c) { return letter(c) || digit(c) || c == '_' || c == '-' || c == '.'; });
    stem.resize(std::min(stem.size(), longest_stem));
    // A dot in front hides a file, two of them are a folder; one at the end is lost on some systems.
    if (!stem.empty() && stem.front() == '.') stem.front() = '_';
    if (!stem.empty() && stem.back() == '.') stem.back() = '_';
    return stem.empty() ? "unnamed" : stem;
}

std::string prim_name(std::string_view name)
{
    std::string text = replaced(name, [](char c) { return letter(c) || digit(c) || c == '_'; });
    if (text.empty()) return "unnamed";
    return digit(text.front()) ? "_" + text : text;
}

std::string line_name(std::string_view name)
{
    std::string text(name);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto code = static_cast<unsigned char>(text[i]);
        if (code < ' ' || code == 127) text[i] = '_';
        if (text[i] == '#' && (i == 0 || text[i - 1] == ' ')) text[i] = '_';
    }
    if (!text.empty() && text.front() == ' ') text.front() = '_';
    if (!text.empty() && (text.back() == ' ' || text.back() == '\\')) text.back() = '_';
    return text.empty() ? "unnamed" : text;
}

} // namespace rubato
