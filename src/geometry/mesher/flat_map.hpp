#pragma once

#include "base/types.hpp"

#include <cstdint>
#include <vector>

namespace rubato::mesher {

/// A map from 64-bit keys to numbers with open addressing: several times faster and leaner than std::unordered_map for
/// the millions of look-ups of a lattice. It is never walked through, so that no order depends on it.
class FlatMap {
public:
    static constexpr Index none = -1;

    explicit FlatMap(std::size_t expected = 16)
    {
        std::size_t size = 64;
        while (size < 2 * expected) size *= 2;
        keys_.assign(size, empty);
        values_.assign(size, none);
    }

    Index at(std::uint64_t key) const
    {
        for (std::size_t i = slot(key);; i = (i + 1) & (keys_.size() - 1)) {
            if (keys_[i] == key) return values_[i];
            if (keys_[i] == empty) return none;
        }
    }

    /// Sets the value of a key, new or not.
    void set(std::uint64_t key, Index value)
    {
        if (2 * (count_ + 1) > keys_.size()) grow();
        std::size_t i = slot(key);
        while (keys_[i] != key && keys_[i] != empty) i = (i + 1) & (keys_.size() - 1);
        if (keys_[i] == empty) ++count_;
        keys_[i] = key;
        values_[i] = value;
    }

    std::size_t size() const { return count_; }

private:
    static constexpr std::uint64_t empty = ~0ULL;

    std::size_t slot(std::uint64_t key) const
    {
        key ^= key >> 31;
        key *= 0x9E3779B97F4A7C15ULL;
        key ^= key >> 29;
        return static_cast<std::size_t>(key) & (keys_.size() - 1);
    }

    void grow()
    {
        std::vector<std::uint64_t> keys(2 * keys_.size(), empty);
        std::vector<Index> values(2 * values_.size(), none);
        keys.swap(keys_);
        values.swap(values_);
        count_ = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (keys[i] != empty) set(keys[i], values[i]);
        }
    }

    std::vector<std::uint64_t> keys_;
    std::vector<Index> values_;
    std::size_t count_ = 0;
};

} // namespace rubato::mesher
