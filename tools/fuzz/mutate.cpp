#include "mutate.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace rubato::fuzz {

namespace {

/// Numbers at the ends of what some type holds, or that arithmetic trips over.
const std::vector<std::string> odd_numbers{"0", "-0", "-1", "1", "2", "3", "0.5", "1e-320", "1e-30", "1e30", "1e308",
    "-1e308", "1e309", "nan", "-inf", "NaN", "Infinity", "2147483647", "2147483648", "-2147483648", "4294967295",
    "4294967296", "9223372036854775807", "18446744073709551615", "99999999999999999999", "0.1", "1/3", "1/0", "1e",
    "0x10", "+1", "1.", ".5", "true", "null", "\"1\"", "[]", "{}"};

const std::vector<std::string> odd_pieces{"\n", "\r\n", "\r", "\t", " ", ",", ":", "\"", "\\", "{", "}", "[", "]", "//",
    "/*", "*/", "#", "$", "<", ">", "&", "\x1b[31m", "\x07", "\x7f", std::string(1, '\0'), "\xef\xbb\xbf", "\xff\xfe",
    "\xc3\x28", "\xe2\x80\xae", "%s%n", "{}", "../", "/dev/zero", std::string(300, 'a'), std::string(70, '[')};

bool is_number_character(char c)
{
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}
bool is_word_character(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-'; }

/// Where a run of such characters lies that begins at a random place or behind it; empty if there is none.
template <class Is>
std::pair<std::size_t, std::size_t> piece_of(const std::string& s, Random& random, const Is& is)
{
    std::size_t begin = below(random, s.size());
    while (begin < s.size() && !is(s[begin])) ++begin;
    while (begin > 0 && begin < s.size() && is(s[begin - 1])) --begin;
    std::size_t end = begin;
    while (end < s.size() && is(s[end])) ++end;
    return {begin, end};
}

using Change = void (*)(std::string&, const std::vector<std::string>&, Random&);

void replace_number(std::string& s, const std::vector<std::string>&, Random& random)
{
    const auto [begin, end] = piece_of(s, random, is_number_character);
    s.replace(begin, end - begin, one_of(random, odd_numbers));
}

void replace_word(std::string& s, const std::vector<std::string>& others, Random& random)
{
    const std::string& from = one_of(random, others);
    const auto [begin, end] = piece_of(s, random, is_word_character);
    const auto [first, last] = piece_of(from, random, is_word_character);
    s.replace(begin, end - begin, from.substr(first, last - first));
}

void flip_bit(std::string& s, const std::vector<std::string>&, Random& random)
{
    if (!s.empty()) s[below(random, s.size())] ^= static_cast<char>(1 << below(random, 8));
}

void set_byte(std::string& s, const std::vector<std::string>&, Random& random)
{
    if (!s.empty()) s[below(random, s.size())] = static_cast<char>(random.bits());
}

void insert_piece(std::string& s, const std::vector<std::string>&, Random& random)
{
    s.insert(below(random, s.size() + 1), one_of(random, odd_pieces));
}

void leave_out(std::string& s, const std::vector<std::string>&, Random& random)
{
    const std::size_t begin = below(random, s.size());
    s.erase(begin, 1 + below(random, std::min<std::size_t>(s.size() - begin, below(random, 4) == 0 ? 200 : 8)));
}

void cut_off(std::string& s, const std::vector<std::string>&, Random& random) { s.resize(below(random, s.size() + 1)); }

void repeat(std::string& s, const std::vector<std::string>&, Random& random)
{
    const std::size_t begin = below(random, s.size());
    const std::string piece = s.substr(begin, 1 + below(random, 60));
    const std::size_t times = 1 + below(random, 4);
    for (std::size_t i = 0; i < times; ++i) s.insert(begin, piece);
}

/// The beginning of one and the end of another.
void cross(std::string& s, const std::vector<std::string>& others, Random& random)
{
    const std::string& other = one_of(random, others);
    s = s.substr(0, below(random, s.size() + 1)) + other.substr(below(random, other.size() + 1));
}

/// An integer or a number of a binary file.
void replace_binary(std::string& s, const std::vector<std::string>&, Random& random)
{
    static constexpr std::array<std::uint64_t, 12> integers{0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
        0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x7ff0000000000000};
    const std::uint64_t value = integers[below(random, integers.size())];
    const std::size_t width = std::size_t{1} << below(random, 4);
    if (s.size() < width) return;
    std::size_t at = below(random, s.size() - width + 1);
    if (random.bits() % 2 == 0) at -= at % width;
    std::memcpy(s.data() + at, &value, width);
}

constexpr std::array<Change, 12> changes{replace_number, replace_number, replace_number, replace_word, replace_word,
    flip_bit, set_byte, insert_piece, leave_out, repeat, replace_binary, cut_off};

} // namespace

std::string mutated(std::string input, const std::vector<std::string>& others, Random& random)
{
    const std::size_t count = 1 + below(random, 1 + below(random, 6));
    for (std::size_t i = 0; i < count; ++i) {
        if (input.empty()) input = one_of(random, odd_pieces);
        if (below(random, 20) == 0)
            cross(input, others, random);
        else
            changes[below(random, changes.size())](input, others, random);
        if (input.size() > (1 << 20)) input.resize(1 << 20);
    }
    return input;
}

} // namespace rubato::fuzz
