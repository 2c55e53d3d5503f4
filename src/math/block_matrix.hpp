#pragma once

#include "base/types.hpp"

#include <cstdint>
#include <utility>
#include <vector>

/// Symmetric sparse matrix of 3x3 blocks with a fixed pattern.
///
/// Layout: block compressed rows, both triangles stored, columns ascending in each row.
///
///     row_begin   0       2           5  …            size rows + 1
///     column      0   1 | 0   1   2 | …               one entry per block
///     value       [9]   [9] …                         nine doubles per block, column-major
///
/// Both triangles are stored so that a product needs no atomics: row i of y is written by one thread, in a fixed order.
namespace rubato {

/// Collects which blocks may become non-zero. The diagonal is always included.
class BlockPattern {
public:
    explicit BlockPattern(Index rows)
        : rows_(rows)
    {
    }
    Index rows() const { return rows_; }
    /// Nodes i and j interact: blocks (i, j) and (j, i).
    void add(Index i, Index j) { pairs_.emplace_back(std::min(i, j), std::max(i, j)); }
    const std::vector<std::pair<Index, Index>>& pairs() const { return pairs_; }

private:
    Index rows_;
    std::vector<std::pair<Index, Index>> pairs_;
};

class BlockMatrix {
public:
    BlockMatrix() = default;
    explicit BlockMatrix(const BlockPattern& pattern);

    Index rows() const { return static_cast<Index>(row_begin_.size()) - 1; }
    std::size_t block_count() const { return column_.size(); }
    /// Changes whenever the pattern does: terms that cache slots compare it.
    std::uint64_t pattern_id() const { return pattern_id_; }

    /// Position of block (i, j) in the value table; the block must be in the pattern.
    Index slot(Index i, Index j) const;

    void set_zero();
    Eigen::Map<Mat3> block(Index slot) { return Eigen::Map<Mat3>(&value_[9 * static_cast<std::size_t>(slot)]); }
    Eigen::Map<const Mat3> block(Index slot) const
    {
        return Eigen::Map<const Mat3>(&value_[9 * static_cast<std::size_t>(slot)]);
    }

    /// y = A x
    void multiply(const Vector& x, Vector& y) const;

    const std::vector<Index>& row_begin() const { return row_begin_; }
    const std::vector<Index>& column() const { return column_; }
    const std::vector<double>& value() const { return value_; }

private:
    std::vector<Index> row_begin_{0};
    std::vector<Index> column_;
    std::vector<double> value_;
    std::uint64_t pattern_id_ = 0;
};

} // namespace rubato
