#include "solvers/linear/float_blocks.hpp"

#include "base/parallel.hpp"
#include "base/processor.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace rubato {

namespace {

constexpr std::size_t piece_size = 256; // rows
constexpr std::size_t behind = 7; // loads of sixteen numbers reach that far beyond the last block

/// Four floats, of which a column of a block fills three.
typedef float Column __attribute__((vector_size(16), aligned(4)));

[[gnu::always_inline]] inline Column loaded(const float* from) { return *reinterpret_cast<const Column*>(from); }
[[gnu::always_inline]] inline void store(const Column& c, float* to)
{
    for (int k = 0; k < 3; ++k) to[k] = c[k];
}
[[gnu::always_inline]] inline Column product(const float* block, const float* x)
{
    return loaded(block) * x[0] + loaded(block + 3) * x[1] + loaded(block + 6) * x[2];
}

/// Sum of blocks [first, last) times x, whose first node is `origin`.
[[gnu::always_inline]] inline Column row_product(
    const float* value, const Index* column, Index first, Index last, const float* x, Index origin = 0)
{
    Column a{}, b{}, c{};
    for (Index k = first; k < last; ++k) {
        const float* const block = value + 9 * static_cast<std::ptrdiff_t>(k);
        const float* const xj = x + 3 * static_cast<std::ptrdiff_t>(column[k] - origin);
        a += loaded(block) * xj[0];
        b += loaded(block + 3) * xj[1];
        c += loaded(block + 6) * xj[2];
    }
    return a + b + c;
}

constexpr Index ahead = 8; // rows

/// Asks for blocks [first, last), which will be wanted soon: halves of rows, and rows from the last to the first, are
/// not what processors expect.
[[gnu::always_inline]] inline void fetch(const float* value, Index first, Index last)
{
    constexpr std::ptrdiff_t line = 64 / sizeof(float);
    for (const float *at = value + 9 * std::ptrdiff_t{first}, *end = value + 9 * std::ptrdiff_t{last}; at < end;
         at += line) {
        __builtin_prefetch(at);
    }
}

} // namespace

void FloatBlocks::find_diagonal()
{
    inverse.assign(9 * static_cast<std::size_t>(rows()) + behind, 0);
    diagonal.resize(static_cast<std::size_t>(rows()));
    for (Index i = 0; i < rows(); ++i) {
        const auto first = column.begin() + row_begin[static_cast<std::size_t>(i)];
        const auto last = column.begin() + row_begin[static_cast<std::size_t>(i) + 1];
        diagonal[static_cast<std::size_t>(i)] = static_cast<Index>(std::lower_bound(first, last, i) - column.begin());
    }
}

void FloatBlocks::make_room() { value.assign(9 * column.size() + behind, 0); }

void FloatBlocks::invert_diagonal(Index i)
{
    const float* from = &value[9 * static_cast<std::size_t>(diagonal[static_cast<std::size_t>(i)])];
    Mat3 D;
    for (int k = 0; k < 9; ++k) D(k % 3, k / 3) = from[k];
    const bool definite = D(0, 0) > 0 && D.topLeftCorner<2, 2>().determinant() > 0 && D.determinant() > 0;
    const Mat3 inv = definite ? Mat3(D.inverse()) : Mat3(Mat3::Identity() * (3 / std::max(std::abs(D.trace()), 1e-30)));
    float* const to = &inverse[9 * static_cast<std::size_t>(i)];
    for (int k = 0; k < 9; ++k) to[k] = static_cast<float>(inv(k % 3, k / 3));
}

void FloatBlocks::subtract_product(const FloatVector& x, FloatVector& y) const
{
    parallel_for(
        rows(),
        [&](Index i) {
            const auto row = static_cast<std::size_t>(i);
            const Column product
                = row_product(value.data(), column.data(), row_begin[row], row_begin[row + 1], x.data());
            for (std::size_t k = 0; k < 3; ++k) y[3 * row + k] -= product[k];
        },
        512);
}

void FloatBlocks::sweep_down(const FloatVector& r, FloatVector& z, FloatVector& t) const
{
    for (std::size_t c = 0; c + 1 < order.colour_begin.size(); ++c) {
        const Index first = order.colour_begin[c];
        parallel_for(
            order.colour_begin[c + 1] - first,
            [&](Index p) {
                const auto piece = static_cast<std::size_t>(first + p);
                for (Index i = order.piece_begin[piece]; i < order.piece_begin[piece + 1]; ++i) {
                    const auto row = static_cast<std::size_t>(i);
                    if (i + ahead < rows()) {
                        const std::size_t later = row + std::size_t{ahead};
                        fetch(value.data(), row_begin[later], diagonal[later]);
                    }
                    const Column left
                        = row_product(value.data(), column.data(), row_begin[row], diagonal[row], z.data());
                    const Column rest = loaded(&r[3 * row]) - left;
                    const float s[3] = {rest[0], rest[1], rest[2]};
                    store(product(&inverse[9 * row], s), &z[3 * row]);
                }
            },
            1);
    }
    parallel_for( // what the sweep has not seen is left over
        rows(),
        [&](Index i) {
            const auto row = static_cast<std::size_t>(i);
            if (i + ahead < rows()) {
                const std::size_t later = row + std::size_t{ahead};
                fetch(value.data(), diagonal[later] + 1, row_begin[later + 1]);
            }
            store(-row_product(value.data(), column.data(), diagonal[row] + 1, row_begin[row + 1], z.data()),
                &t[3 * row]);
        },
        512);
}

void FloatBlocks::sweep_up(const FloatVector& r, FloatVector& z) const
{
    for (std::size_t c = order.colour_begin.size() - 1; c-- > 0;) {
        const Index first = order.colour_begin[c];
        parallel_for(
            order.colour_begin[c + 1] - first,
            [&](Index p) {
                const auto piece = static_cast<std::size_t>(first + p);
                for (Index i = order.piece_begin[piece + 1] - 1; i >= order.piece_begin[piece]; --i) {
                    const auto row = static_cast<std::size_t>(i);
                    if (i >= ahead) {
                        const std::size_t later = row - std::size_t{ahead};
                        fetch(value.data(), row_begin[later], row_begin[later + 1]);
                    }
                    const Column rest = loaded(&r[3 * row])
                        - row_product(value.data(), column.data(), row_begin[row], row_begin[row + 1], z.data());
                    const float s[3] = {rest[0], rest[1], rest[2]};
                    const Column change = product(&inverse[9 * row], s);
                    for (std::size_t k = 0; k < 3; ++k) z[3 * row + k] += change[k];
                }
            },
            1);
    }
}

SweepOrder SweepOrder::coloured(
    const std::vector<Index>& row_begin, const std::vector<Index>& column, std::vector<Index>& nodes)
{
    const std::size_t pieces = (nodes.size() + piece_size - 1) / piece_size;
    std::vector<std::size_t> piece_of(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) piece_of[static_cast<std::size_t>(nodes[n])] = n / piece_size;

    std::vector<int> colour(pieces, -1);
    std::vector<std::size_t> used; // by colour: the last piece beside which it was seen
    for (std::size_t p = 0; p < pieces; ++p) {
        const std::size_t end = std::min((p + 1) * piece_size, nodes.size());
        for (std::size_t n = p * piece_size; n < end; ++n) {
            const auto i = static_cast<std::size_t>(nodes[n]);
            for (Index k = row_begin[i]; k < row_begin[i + 1]; ++k) {
                const std::size_t other = piece_of[static_cast<std::size_t>(column[static_cast<std::size_t>(k)])];
                if (colour[other] >= 0) used[static_cast<std::size_t>(colour[other])] = p;
            }
        }
        std::size_t free = 0;
        while (free < used.size() && used[free] == p) ++free;
        if (free == used.size()) used.push_back(p);
        colour[p] = static_cast<int>(free);
        used[free] = pieces; // of no piece
    }

    SweepOrder out;
    std::vector<Index> sorted;
    for (int c = 0; c < static_cast<int>(used.size()); ++c) {
        for (std::size_t p = 0; p < pieces; ++p) {
            if (colour[p] != c) continue;
            const std::size_t end = std::min((p + 1) * piece_size, nodes.size());
            for (std::size_t n = p * piece_size; n < end; ++n) sorted.push_back(nodes[n]);
            out.piece_begin.push_back(static_cast<Index>(sorted.size()));
        }
        out.colour_begin.push_back(static_cast<Index>(out.piece_begin.size()) - 1);
    }
    nodes.swap(sorted);
    return out;
}

} // namespace rubato
