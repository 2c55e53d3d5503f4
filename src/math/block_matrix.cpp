#include "math/block_matrix.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>

namespace rubato {

BlockMatrix::BlockMatrix(const BlockPattern& pattern)
{
    static std::atomic<std::uint64_t> next_id{1};
    pattern_id_ = next_id++;

    std::vector<std::pair<Index, Index>> entries;
    entries.reserve(2 * pattern.pairs().size() + static_cast<std::size_t>(pattern.rows()));
    for (const auto& [i, j] : pattern.pairs()) {
        entries.emplace_back(i, j);
        entries.emplace_back(j, i);
    }
    for (Index i = 0; i < pattern.rows(); ++i) entries.emplace_back(i, i);
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());

    row_begin_.assign(static_cast<std::size_t>(pattern.rows()) + 1, 0);
    column_.reserve(entries.size());
    for (const auto& [i, j] : entries) {
        ++row_begin_[static_cast<std::size_t>(i) + 1];
        column_.push_back(j);
    }
    for (std::size_t i = 1; i < row_begin_.size(); ++i) row_begin_[i] += row_begin_[i - 1];
    value_.assign(9 * column_.size(), 0.0);
}

Index BlockMatrix::slot(Index i, Index j) const
{
    const auto first = column_.begin() + row_begin_[static_cast<std::size_t>(i)];
    const auto last = column_.begin() + row_begin_[static_cast<std::size_t>(i) + 1];
    const auto it = std::lower_bound(first, last, j);
    assert(it != last && *it == j && "block is not in the pattern");
    return static_cast<Index>(it - column_.begin());
}

void BlockMatrix::set_zero() { std::fill(value_.begin(), value_.end(), 0.0); }

void BlockMatrix::multiply(const Vector& x, Vector& y) const
{
    y.resize(3 * rows());
    parallel_for(
        rows(),
        [&](Index i) {
            Vec3 sum = Vec3::Zero();
            for (Index k = row_begin_[static_cast<std::size_t>(i)]; k < row_begin_[static_cast<std::size_t>(i) + 1];
                 ++k) {
                sum.noalias() += block(k) * node(x, column_[static_cast<std::size_t>(k)]);
            }
            node(y, i) = sum;
        },
        128);
}

} // namespace rubato
