#include "math/block_matrix.hpp"

#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "math/four.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <functional>

namespace rubato {

namespace {

std::uint64_t next_id()
{
    static std::atomic<std::uint64_t> next{1};
    return next++;
}

/// The blocks of a pattern, both triangles, by rows: where each row begins, and its columns, ascending.
struct Rows {
    std::vector<Index> begin, column;
};

/// The pairs (i, j), i <= j, of a sorted pattern come in the order of i, then of j: what row j has to the left arrives
/// in order, and so does what it has to the right.
Rows rows_of(const BlockPattern& pattern)
{
    if (std::adjacent_find(pattern.pairs().begin(), pattern.pairs().end(), std::greater_equal<>())
        != pattern.pairs().end()) {
        BlockPattern sorted = pattern;
        sorted.sort();
        return rows_of(sorted);
    }
    const auto size = static_cast<std::size_t>(pattern.rows());
    Rows rows{std::vector<Index>(size + 1, 0), {}};
    std::vector<Index> next(size, 0); // first: how many are to the left of the diagonal
    for (const auto& [i, j] : pattern.pairs()) {
        ++rows.begin[static_cast<std::size_t>(i) + 1];
        if (i == j) continue;
        ++rows.begin[static_cast<std::size_t>(j) + 1];
        ++next[static_cast<std::size_t>(j)];
    }
    for (std::size_t i = 0; i < size; ++i) rows.begin[i + 1] += rows.begin[i];
    rows.column.resize(static_cast<std::size_t>(rows.begin[size]));
    std::vector<Index> left(rows.begin.begin(), rows.begin.end() - 1);
    for (std::size_t i = 0; i < size; ++i) next[i] += rows.begin[i];
    for (const auto& [i, j] : pattern.pairs()) {
        rows.column[static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++)] = j;
        if (i != j) rows.column[static_cast<std::size_t>(left[static_cast<std::size_t>(j)]++)] = i;
    }
    return rows;
}

constexpr std::ptrdiff_t ahead
    = 1024; // numbers: farther than processors look by themselves in matrices that come from memory
constexpr std::size_t beyond = 1; // entries that loads of four may read behind the last block

/// y_i = sum_j A_ij x_j for one row of `count` blocks. Each block is three columns of three numbers, loaded as four, of
/// which the last belongs to the next column and is dropped at the end; a sum for each column, so that they need not
/// wait for each other.
RUBATO_FOR_EVERY_PROCESSOR
void multiply_row(const double* block, const Index* column, Index count, const double* x, double* y)
{
    Four sum0{}, sum1{}, sum2{};
    for (Index k = 0; k < count; ++k, block += 9) {
        const double* const xj = x + 3 * static_cast<std::ptrdiff_t>(column[k]);
        __builtin_prefetch(block + ahead);
        sum0 += *reinterpret_cast<const Four*>(block) * xj[0];
        sum1 += *reinterpret_cast<const Four*>(block + 3) * xj[1];
        sum2 += *reinterpret_cast<const Four*>(block + 6) * xj[2];
    }
    const Four sum = sum0 + sum1 + sum2;
    for (int c = 0; c < 3; ++c) y[c] = sum[c];
}

} // namespace

void BlockPattern::sort()
{
    if (pairs_.size() < 2) return;
    // By rows first, which takes no comparisons; a row has few pairs.
    const auto rows = static_cast<std::size_t>(rows_);
    std::vector<Index> next(rows + 1, 0), column(pairs_.size());
    for (const auto& pair : pairs_) ++next[static_cast<std::size_t>(pair.first) + 1];
    for (std::size_t i = 0; i < rows; ++i) next[i + 1] += next[i];
    for (const auto& [i, j] : pairs_) {
        column[static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++)] = j;
    }
    pairs_.clear(); // now next[i] is the end of row i
    auto first = column.begin();
    for (std::size_t i = 0; i < rows; ++i) {
        const auto last = column.begin() + next[i];
        std::sort(first, last);
        const auto end = std::unique(first, last);
        for (; first != end; ++first) pairs_.emplace_back(static_cast<Index>(i), *first);
        first = last;
    }
}

Index BlockStructure::find(Index i, Index j) const
{
    const auto first = column.begin() + row_begin[static_cast<std::size_t>(i)];
    const auto last = column.begin() + row_begin[static_cast<std::size_t>(i) + 1];
    const auto it = std::lower_bound(first, last, j);
    return it != last && *it == j ? static_cast<Index>(it - column.begin()) : -1;
}

/// Rows are walked downwards, so the blocks left of the diagonal of row j are met in the order of their columns.
void BlockStructure::find_mirrors()
{
    mirror.resize(column.size());
    std::vector<Index> next(row_begin.begin(), row_begin.end() - 1);
    for (Index i = 0; i < rows(); ++i) {
        for (Index k = row_begin[static_cast<std::size_t>(i)]; k < row_begin[static_cast<std::size_t>(i) + 1]; ++k) {
            const Index j = column[static_cast<std::size_t>(k)];
            if (j > i) mirror[static_cast<std::size_t>(next[static_cast<std::size_t>(j)]++)] = k;
        }
    }
}

BlockMatrix::BlockMatrix()
    : own_(std::make_shared<BlockStructure>())
    , root_(own_)
{
}

BlockMatrix::BlockMatrix(const BlockPattern& pattern)
{
    BlockPattern with_diagonal = pattern;
    for (Index i = 0; i < pattern.rows(); ++i) with_diagonal.add(i, i);

    auto structure = std::make_shared<BlockStructure>();
    structure->id = next_id();
    Rows rows = rows_of(with_diagonal);
    structure->row_begin = std::move(rows.begin);
    structure->column = std::move(rows.column);
    structure->find_mirrors();
    value_.assign(9 * structure->column.size() + beyond, 0.0);
    own_ = root_ = std::move(structure);
}

BlockMatrix BlockMatrix::extended(const BlockMatrix& root, const BlockPattern& more)
{
    assert(root.own_ == root.root_ && "only a matrix that is not extended itself can be");
    const BlockStructure& from = *root.own_;
    auto structure = std::make_shared<BlockStructure>();
    structure->id = next_id();
    structure->row_begin.reserve(from.row_begin.size());
    const Rows news = rows_of(more);
    structure->column.reserve(from.column.size() + news.column.size());

    BlockMatrix out;
    out.moved_.resize(from.column.size());
    for (std::size_t i = 0; i < static_cast<std::size_t>(from.rows()); ++i) { // merges two sorted lists
        auto next = news.column.begin() + news.begin[i];
        const auto end = news.column.begin() + news.begin[i + 1];
        for (auto k = static_cast<std::size_t>(from.row_begin[i]); k < static_cast<std::size_t>(from.row_begin[i + 1]);
             ++k) {
            const Index j = from.column[k];
            while (next != end && *next < j) structure->column.push_back(*next++);
            if (next != end && *next == j) ++next;
            out.moved_[k] = static_cast<Index>(structure->column.size());
            structure->column.push_back(j);
        }
        structure->column.insert(structure->column.end(), next, end);
        structure->row_begin.push_back(static_cast<Index>(structure->column.size()));
    }
    structure->find_mirrors();
    out.value_.assign(9 * structure->column.size() + beyond, 0.0);
    out.own_ = std::move(structure);
    out.root_ = root.root_;
    return out;
}

bool BlockMatrix::covers(const BlockPattern& pattern) const
{
    return std::all_of(pattern.pairs().begin(), pattern.pairs().end(),
        [&](const std::pair<Index, Index>& pair) { return own_->find(pair.first, pair.second) >= 0; });
}

Index BlockMatrix::slot(Index i, Index j) const
{
    const Index found = own_->find(i, j);
    assert(found >= 0 && "block is not in the pattern");
    return found;
}

Index BlockMatrix::root_slot(Index i, Index j) const
{
    const Index found = root_->find(i, j);
    assert(found >= 0 && "block is not in the pattern");
    return found;
}

void BlockMatrix::set_zero()
{
    parallel_for(
        rows(),
        [&](Index i) {
            const auto row = static_cast<std::size_t>(i);
            std::fill(value_.begin() + 9 * std::ptrdiff_t{own_->row_begin[row]},
                value_.begin() + 9 * std::ptrdiff_t{own_->row_begin[row + 1]}, 0.0);
        },
        1024);
}

void BlockMatrix::set_rows_zero(const std::vector<Index>& rows)
{
    for (const Index row : rows) {
        const auto i = static_cast<std::size_t>(row);
        const auto first = value_.begin() + 9 * std::ptrdiff_t{own_->row_begin[i]};
        std::fill(first, value_.begin() + 9 * std::ptrdiff_t{own_->row_begin[i + 1]}, 0.0);
    }
}

void BlockMatrix::mirror_row(Index i)
{
    for (Index k = own_->row_begin[static_cast<std::size_t>(i)]; own_->column[static_cast<std::size_t>(k)] < i; ++k) {
        const double* from = &value_[9 * static_cast<std::size_t>(own_->mirror[static_cast<std::size_t>(k)])];
        double* to = &value_[9 * static_cast<std::size_t>(k)];
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) to[3 * c + r] = from[3 * r + c];
        }
    }
}

void BlockMatrix::mirror()
{
    parallel_for(
        rows(), [&](Index i) { mirror_row(i); }, 256);
}

void BlockMatrix::mirror(const std::vector<Index>& rows)
{
    parallel_for(
        static_cast<Index>(rows.size()), [&](Index k) { mirror_row(rows[static_cast<std::size_t>(k)]); }, 256);
}

BlockMatrix BlockMatrix::between(const std::vector<Index>& rows) const
{
    std::vector<Index> number(static_cast<std::size_t>(this->rows()), -1);
    for (std::size_t n = 0; n < rows.size(); ++n) number[static_cast<std::size_t>(rows[n])] = static_cast<Index>(n);

    auto structure = std::make_shared<BlockStructure>();
    structure->id = next_id();
    BlockMatrix out;
    for (const Index row : rows) {
        const auto i = static_cast<std::size_t>(row);
        for (Index k = own_->row_begin[i]; k < own_->row_begin[i + 1]; ++k) {
            const Index j = number[static_cast<std::size_t>(own_->column[static_cast<std::size_t>(k)])];
            if (j < 0) continue;
            structure->column.push_back(j);
            const auto block = value_.begin() + 9 * std::ptrdiff_t{k};
            out.value_.insert(out.value_.end(), block, block + 9);
        }
        structure->row_begin.push_back(static_cast<Index>(structure->column.size()));
    }
    structure->find_mirrors();
    out.value_.insert(out.value_.end(), beyond, 0.0);
    out.own_ = out.root_ = std::move(structure);
    return out;
}

void BlockMatrix::multiply(const Vector& x, Vector& y) const
{
    y.resize(3 * rows());
    parallel_for(
        rows(),
        [&](Index i) {
            const auto first = static_cast<std::size_t>(own_->row_begin[static_cast<std::size_t>(i)]);
            const Index count = own_->row_begin[static_cast<std::size_t>(i) + 1] - static_cast<Index>(first);
            multiply_row(&value_[9 * first], &own_->column[first], count, x.data(), &y[3 * Eigen::Index{i}]);
        },
        128);
}

} // namespace rubato
