#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// What a binary glTF file says about its bytes. It is complete before the first byte is written, so that the numbers
/// themselves never have to be in memory.
namespace rubato::gltf {

enum Component : int { unsigned_short = 5123, unsigned_int = 5125, single = 5126 }; ///< numbers of the standard
enum Target : int { none = 0, vertices = 34962, indices = 34963 };

/// Text in quotes, as JSON has it.
inline std::string quoted(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// "[1,2,3]". Floats with the digits of doubles: bounds are compared with what is in the buffer.
template <class T>
std::string listed(std::span<const T> values)
{
    std::string text = "[";
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) text += ',';
        if constexpr (std::is_floating_point_v<T>) {
            text += fmt::format("{}", static_cast<double>(values[i]));
        } else {
            text += fmt::format("{}", values[i]);
        }
    }
    return text + "]";
}

/// A list of objects that grows, with the number of the next one.
struct JsonList {
    std::string text;
    std::size_t count = 0;

    std::size_t add(const std::string& object)
    {
        if (count > 0) text += ',';
        text += object;
        return count++;
    }
    std::string named(const char* name) const { return count == 0 ? "" : fmt::format(",\"{}\":[{}]", name, text); }
};

/// Lays arrays behind each other in the buffer; they must be written in the same order.
class Layout {
public:
    /// The next bytes of the buffer. `stride` where several arrays of vertices share them.
    std::size_t view(std::uint64_t length, Target target, int stride = 0)
    {
        std::string text = fmt::format("{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}", length_, length);
        if (stride > 0) text += fmt::format(",\"byteStride\":{}", stride);
        if (target != none) text += fmt::format(",\"target\":{}", static_cast<int>(target));
        length_ += padded(length);
        return views_.add(text + "}");
    }

    std::size_t array(std::size_t view, std::uint64_t offset, Component component, std::uint64_t count,
        const char* type, const std::string& bounds = {})
    {
        return arrays_.add(
            fmt::format("{{\"bufferView\":{},\"byteOffset\":{},\"componentType\":{},\"count\":{},\"type\":\"{}\"{}}}",
                view, offset, static_cast<int>(component), count, type, bounds));
    }

    /// `low` and `high` of each component, for `array`.
    static std::string bounds(std::span<const float> low, std::span<const float> high)
    {
        return fmt::format(",\"min\":{},\"max\":{}", listed(low), listed(high));
    }

    static std::uint64_t padded(std::uint64_t length) { return (length + 3) / 4 * 4; }
    std::uint64_t length() const { return length_; } ///< of the buffer [bytes]
    std::string text() const
    {
        if (length_ == 0) return {};
        return fmt::format(",\"buffers\":[{{\"byteLength\":{}}}]", length_) + views_.named("bufferViews")
            + arrays_.named("accessors");
    }

private:
    JsonList views_, arrays_;
    std::uint64_t length_ = 0;
};

} // namespace rubato::gltf
