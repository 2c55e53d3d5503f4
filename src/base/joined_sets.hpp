#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace rubato {

/// Sets of numbers that are joined one by one: what hangs together in the end is one piece.
class JoinedSets {
public:
    explicit JoinedSets(std::size_t n)
        : parent_(n)
    {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    /// The least number of the set that holds i. Makes the way there shorter for the next time.
    Index root(Index i)
    {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    void join(Index i, Index j)
    {
        const Index a = root(i);
        const Index b = root(j);
        parent_[std::max(a, b)] = std::min(a, b);
    }

    /// A set of its own again; right only where everything in the set of i is set apart.
    void set_apart(Index i) { parent_[i] = i; }

private:
    std::vector<Index> parent_;
};

} // namespace rubato
