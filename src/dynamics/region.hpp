#pragma once

#include "math/block_matrix.hpp"

#include <algorithm>
#include <vector>

namespace rubato {

/// Some of the nodes of a system: those that a solve may move while the others stay where they are.
class Region {
public:
    Region() = default;
    explicit Region(Index all) ///< no node yet, of so many
        : marked_(static_cast<std::size_t>(all), 0)
    {
    }

    const std::vector<Index>& nodes() const { return nodes_; }
    const std::vector<char>& marked() const { return marked_; } ///< one entry for each node of the system
    Index size() const { return static_cast<Index>(nodes_.size()); }
    bool has(Index node) const { return marked_[static_cast<std::size_t>(node)] != 0; }

    /// Whether an element with these nodes has one of the region's; nodes below zero are none.
    template <class Nodes>
    bool touches(const Nodes& nodes) const
    {
        return std::any_of(nodes.begin(), nodes.end(), [&](Index i) { return i >= 0 && has(i); });
    }

    void add(Index node)
    {
        if (has(node)) return;
        marked_[static_cast<std::size_t>(node)] = 1;
        nodes_.push_back(node);
    }
    /// Adds every node that a node of the region has a block with.
    void add_neighbours(const BlockMatrix& A)
    {
        const std::size_t before = nodes_.size();
        for (std::size_t n = 0; n < before; ++n) {
            const auto i = static_cast<std::size_t>(nodes_[n]);
            for (Index k = A.row_begin()[i]; k < A.row_begin()[i + 1]; ++k)
                add(A.column()[static_cast<std::size_t>(k)]);
        }
    }
    void sort() { std::sort(nodes_.begin(), nodes_.end()); } ///< ascending
    void clear()
    {
        for (const Index i : nodes_) marked_[static_cast<std::size_t>(i)] = 0;
        nodes_.clear();
    }

private:
    std::vector<char> marked_;
    std::vector<Index> nodes_;
};

} // namespace rubato
