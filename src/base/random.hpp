#pragma once

#include <cstdint>

/// Random numbers that are the same everywhere. The distributions of the standard library differ from one library to
/// the next; a scene with a seed must not.
///
/// The generator is splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): a counter
/// that advances by the golden ratio, scrambled by two multiplications. Every seed gives a sequence of full period.
namespace rubato {

class Random {
public:
    explicit Random(std::uint64_t seed)
        : state_(seed)
    {
    }

    /// 64 random bits.
    std::uint64_t bits()
    {
        state_ += 0x9e3779b97f4a7c15;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    /// Uniform in [0, 1): the upper 53 bits, so that every value is exact.
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

    /// Uniform between low and high.
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

private:
    std::uint64_t state_;
};

} // namespace rubato
