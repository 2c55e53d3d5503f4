#pragma once

#include "geometry/files/number_text.hpp"
#include "picture/color.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

/// Pieces of a USD stage in ASCII.
namespace rubato::usd {

/// Text in quotes. Other programs read UTF-8 there as it is.
inline std::string quoted(std::string_view text)
{
    std::string s = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            s += '\\';
            s += c;
        } else if (c == '\n') {
            s += "\\n";
        } else if (code < ' ' || code == 127) {
            s += fmt::format("\\x{:02x}", code);
        } else {
            s += c;
        }
    }
    return s + "\"";
}

/// "(x, y, z)", with the digits that give back the same floats.
inline void add_tuple(NumberText& out, std::span<const float> values)
{
    for (std::size_t k = 0; k < values.size(); ++k) {
        out.text(k == 0 ? "(" : ", ");
        out.single(values[k]);
    }
    out.text(")");
}

/// "[(x, y, z), ...]"
inline void add_tuples(NumberText& out, std::span<const float> values, std::size_t components)
{
    out.text("[");
    for (std::size_t i = 0; i < values.size(); i += components) {
        if (i > 0) out.text(", ");
        add_tuple(out, values.subspan(i, components));
    }
    out.text("]");
}

/// "[1, 2, ...]"
template <class Numbers>
std::string integers(const Numbers& numbers)
{
    NumberText out;
    out.text("[");
    bool first = true;
    for (const auto number : numbers) {
        if (!first) out.text(", ");
        out.integer(number);
        first = false;
    }
    out.text("]");
    return out.take();
}

inline std::string color(Rgb shown)
{
    const Light light = light_of(shown);
    NumberText out;
    add_tuple(out, {light.data(), 3});
    return out.take();
}

} // namespace rubato::usd
