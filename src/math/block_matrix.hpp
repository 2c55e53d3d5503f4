#pragma once

#include "base/types.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

/// Symmetric sparse matrix of 3x3 blocks.
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
    void add(Index i, Index j)
    {
        if (among_ != nullptr && !(marked(i) && marked(j))) return;
        pairs_.emplace_back(std::min(i, j), std::max(i, j));
    }
    /// From now on, pairs that are not both marked are ignored; null: none is. One entry for each node; is referred to.
    void only_among(const std::vector<char>* marked) { among_ = marked; }
    const std::vector<std::pair<Index, Index>>& pairs() const { return pairs_; }
    void clear() { pairs_.clear(); }
    /// Each pair once, ascending.
    void sort();

private:
    bool marked(Index i) const { return (*among_)[static_cast<std::size_t>(i)] != 0; }

    Index rows_;
    std::vector<std::pair<Index, Index>> pairs_;
    const std::vector<char>* among_ = nullptr;
};

/// Where the blocks of a matrix are.
struct BlockStructure {
    std::vector<Index> row_begin{0};
    std::vector<Index> column;
    std::vector<Index> mirror; ///< for each block left of the diagonal, where its transpose is
    std::uint64_t id = 0; ///< of its own; no two structures share it

    void find_mirrors();

    Index rows() const { return static_cast<Index>(row_begin.size()) - 1; }
    /// Position of block (i, j) in the value table; -1 if it is not there.
    Index find(Index i, Index j) const;
};

class BlockMatrix {
public:
    BlockMatrix();
    explicit BlockMatrix(const BlockPattern& pattern);

    /// The blocks of `root`, which is not extended itself, and some more: contact comes and goes, elements stay. Terms
    /// keep the slots they have in the root and are led from there to the extended table, so nothing of theirs has to
    /// be looked up again.
    static BlockMatrix extended(const BlockMatrix& root, const BlockPattern& more);

    Index rows() const { return own_->rows(); }
    std::size_t block_count() const { return own_->column.size(); }
    /// Changes whenever the pattern does.
    std::uint64_t pattern_id() const { return own_->id; }
    bool covers(const BlockPattern& pattern) const;

    /// Position of block (i, j) in the value table; the block must be in the pattern.
    Index slot(Index i, Index j) const;

    /// The pattern that was there before the last extension (its own if there was none): terms that cache slots cache
    /// those of the root, keyed by its id.
    std::uint64_t root_id() const { return root_->id; }
    const BlockStructure& root() const { return *root_; }
    Index root_slot(Index i, Index j) const; ///< the block must be in the root's pattern
    Index from_root(Index root_slot) const
    {
        return moved_.empty() ? root_slot : moved_[static_cast<std::size_t>(root_slot)];
    }

    void set_zero();
    void set_rows_zero(const std::vector<Index>& rows);
    /// Terms add blocks (i, j) with i <= j only; this makes the others, of all rows or of some.
    void mirror();
    void mirror(const std::vector<Index>& rows);
    double* values() { return value_.data(); } ///< nine for each block
    /// The blocks between these rows, which are ascending, as a matrix of its own.
    BlockMatrix between(const std::vector<Index>& rows) const;
    Eigen::Map<Mat3> block(Index slot) { return Eigen::Map<Mat3>(&value_[9 * static_cast<std::size_t>(slot)]); }
    Eigen::Map<const Mat3> block(Index slot) const
    {
        return Eigen::Map<const Mat3>(&value_[9 * static_cast<std::size_t>(slot)]);
    }

    /// y = A x
    void multiply(const Vector& x, Vector& y) const;

    const std::vector<Index>& row_begin() const { return own_->row_begin; }
    const std::vector<Index>& column() const { return own_->column; }
    const std::vector<double>& value() const { return value_; }

private:
    void mirror_row(Index i);

    std::shared_ptr<const BlockStructure> own_, root_;
    std::vector<Index> moved_; // own slot of each slot of the root; empty: the same
    std::vector<double> value_;
};

} // namespace rubato
