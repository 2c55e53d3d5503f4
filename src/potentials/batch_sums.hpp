#pragma once

#include "base/types.hpp"

#include <cstdint>
#include <vector>

namespace rubato {

/// How the answers of eight tetrahedra are numbered.
struct TetParts {
    static constexpr int block(int element, int b) { return 16 * element + b; } ///< b-th block of an element
    static constexpr int force(int element, int node) { return 16 * element + 3 * node; } ///< first of three numbers
};

/// Where the answers of a batch of elements go. The elements of a batch are neighbours: what several of them add to the
/// same place is added up first, so that each place is read and written once.
///
///     places   p0    p1        p2              …    each once
///     parts    9*    4  21*    3  18  35*      …    which of the batch's answers go there; * marks the last of a place
///
/// Places with few parts come first: a processor foresees how long a loop is that is as long as the one before.
class BatchSums {
public:
    static constexpr std::uint8_t last = 0x80, number = 0x7f; ///< mark and number of a part
    struct Item {
        Index place;
        std::uint8_t part; ///< below 128
    };
    struct Batch {
        const Index* places;
        Index count; ///< places
        const std::uint8_t* parts;
    };

    /// Of the next batch; the items are sorted.
    void add(std::vector<Item>& items);
    Batch operator[](Index batch) const
    {
        const auto b = static_cast<std::size_t>(batch);
        const auto first = static_cast<std::size_t>(first_place_[b]);
        return {
            &places_[first], first_place_[b + 1] - first_place_[b], &parts_[static_cast<std::size_t>(first_part_[b])]};
    }

private:
    std::vector<Index> first_place_{0}, first_part_{0}, places_;
    std::vector<std::uint8_t> parts_;
};

} // namespace rubato
