#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace rubato {

/// The types of numbers in binary mesh files.
enum class Scalar { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

inline std::size_t size_of(Scalar type)
{
    constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return sizes[static_cast<int>(type)];
}

inline bool is_integer(Scalar type) { return type != Scalar::float32 && type != Scalar::float64; }

/// Calls `use` with the number that lies at `bytes`; `swapped`: in the byte order of other machines.
template <class Use>
auto with_scalar(const char* bytes, Scalar type, bool swapped, Use use)
{
    const auto as = [&]<class T>(T) {
        char raw[sizeof(T)];
        std::memcpy(raw, bytes, sizeof(T));
        if (swapped) std::reverse(raw, raw + sizeof(T));
        T value;
        std::memcpy(&value, raw, sizeof(T));
        return use(value);
    };
    switch (type) {
    case Scalar::int8: return as(std::int8_t{});
    case Scalar::uint8: return as(std::uint8_t{});
    case Scalar::int16: return as(std::int16_t{});
    case Scalar::uint16: return as(std::uint16_t{});
    case Scalar::int32: return as(std::int32_t{});
    case Scalar::uint32: return as(std::uint32_t{});
    case Scalar::int64: return as(std::int64_t{});
    case Scalar::uint64: return as(std::uint64_t{});
    case Scalar::float32: return as(float{});
    default: return as(double{});
    }
}

inline double real_at(const char* bytes, Scalar type, bool swapped)
{
    return with_scalar(bytes, type, swapped, [](auto value) { return static_cast<double>(value); });
}

/// Of an integer type. What is beyond 63 bits becomes the largest number: too large for any use here.
inline std::int64_t integer_at(const char* bytes, Scalar type, bool swapped)
{
    return with_scalar(bytes, type, swapped, [](auto value) {
        if constexpr (std::is_same_v<decltype(value), std::uint64_t>) {
            constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
            return static_cast<std::int64_t>(std::min(value, most));
        } else if constexpr (std::is_integral_v<decltype(value)>) {
            return static_cast<std::int64_t>(value);
        } else {
            return std::int64_t{-1};
        }
    });
}

} // namespace rubato
