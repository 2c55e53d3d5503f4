#pragma once

#include <charconv>
#include <span>
#include <string>
#include <string_view>

namespace rubato {

/// A text that grows by words and numbers. A real number gets the shortest digits that give back the same bits.
/// Built for speed: surfaces are written for every frame.
class NumberText {
public:
    explicit NumberText(std::size_t expected_bytes = 0) { bytes_.reserve(expected_bytes); }

    void text(std::string_view words) { bytes_ += words; }
    void integer(long long value) { append(value); }
    void real(double value) { append(value); }
    void single(float value) { append(value); } ///< fewer digits: those that give back the same float

    /// With blanks between them.
    void reals(std::span<const double> values)
    {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) bytes_ += ' ';
            append(values[i]);
        }
    }

    std::string take() { return std::move(bytes_); }
    const std::string& bytes() const { return bytes_; }
    void clear() { bytes_.clear(); } ///< its memory stays

private:
    template <class T>
    void append(T value)
    {
        char digits[32]; // the longest double has 24 characters
        bytes_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }

    std::string bytes_;
};

} // namespace rubato
