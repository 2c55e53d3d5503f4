#include "solvers/linear/float_blocks.hpp"

#include "base/parallel.hpp"
#include "base/processor.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace rubato {

namespace {

constexpr Index shortest_piece = 1024, most_pieces = 16; // fixed, so that threads do not change the result

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

} // namespace

void FloatBlocks::find_diagonal()
{
    diagonal.resize(static_cast<std::size_t>(rows()));
    for (Index i = 0; i < rows(); ++i) {
        const auto first = column.begin() + row_begin[static_cast<std::size_t>(i)];
        const auto last = column.begin() + row_begin[static_cast<std::size_t>(i) + 1];
        diagonal[static_cast<std::size_t>(i)] = static_cast<Index>(std::lower_bound(first, last, i) - column.begin());
    }
    piece = std::max(shortest_piece, (rows() + most_pieces - 1) / most_pieces);
}

bool FloatBlocks::invert_diagonal()
{
    inverse.resize(9 * static_cast<std::size_t>(rows()) + 3);
    std::vector<char> bad(static_cast<std::size_t>(rows() / 256 + 1), 0);
    parallel_for(
        rows(),
        [&](Index i) {
            const float* from = &value[9 * static_cast<std::size_t>(diagonal[static_cast<std::size_t>(i)])];
            Mat3 D;
            for (int k = 0; k < 9; ++k) D(k % 3, k / 3) = from[k];
            const bool definite = D(0, 0) > 0 && D.topLeftCorner<2, 2>().determinant() > 0 && D.determinant() > 0;
            const Mat3 inv = definite ? Mat3(D.inverse())
                                      : Mat3(Mat3::Identity() * (3 / std::max(std::abs(D.trace()), 1e-300)));
            if (!definite) bad[static_cast<std::size_t>(i / 256)] = 1;
            for (int k = 0; k < 9; ++k) inverse[9 * static_cast<std::size_t>(i) + static_cast<std::size_t>(k)]
                = static_cast<float>(inv(k % 3, k / 3));
        },
        256);
    return std::find(bad.begin(), bad.end(), 1) == bad.end();
}

void FloatBlocks::subtract_product(const FloatVector& x, FloatVector& y) const
{
    parallel_for(
        rows(),
        [&](Index i) {
            const auto row = static_cast<std::size_t>(i);
            const Column product = row_product(value.data(), column.data(), row_begin[row], row_begin[row + 1], x.data());
            for (std::size_t k = 0; k < 3; ++k) y[3 * row + k] -= product[k];
        },
        512);
}

void FloatBlocks::sweep_down(const FloatVector& r, FloatVector& z, FloatVector& t) const
{
    const Index pieces = (rows() + piece - 1) / piece;
    parallel_for(
        pieces,
        [&](Index p) {
            const Index from = p * piece, to = std::min(from + piece, rows());
            for (Index i = from; i < to; ++i) {
                const auto row = static_cast<std::size_t>(i);
                Index first = row_begin[row];
                while (column[static_cast<std::size_t>(first)] < from) ++first;
                const Column below = row_product(value.data(), column.data(), first, diagonal[row], z.data());
                const Column rest = loaded(&r[3 * row]) - below;
                const float s[3] = {rest[0], rest[1], rest[2]};
                store(product(&inverse[9 * row], s), &z[3 * row]);
            }
        },
        1);
    // What the sweep has not seen is left over: blocks above the diagonal and those of other pieces.
    parallel_for(
        pieces,
        [&](Index p) {
            const Index from = p * piece, to = std::min(from + piece, rows());
            for (Index i = from; i < to; ++i) {
                const auto row = static_cast<std::size_t>(i);
                Index first = row_begin[row];
                while (column[static_cast<std::size_t>(first)] < from) ++first;
                const Column left = row_product(value.data(), column.data(), row_begin[row], first, z.data());
                const Column right
                    = row_product(value.data(), column.data(), diagonal[row] + 1, row_begin[row + 1], z.data());
                store(-(left + right), &t[3 * row]);
            }
        },
        1);
}

void FloatBlocks::sweep_up(const FloatVector& t, FloatVector& z) const
{
    const Index pieces = (rows() + piece - 1) / piece;
    parallel_for(
        pieces,
        [&](Index p) {
            const Index from = p * piece, to = std::min(from + piece, rows());
            std::vector<float> d(3 * static_cast<std::size_t>(to - from) + 1, 0); // of this piece
            for (Index i = to - 1; i >= from; --i) {
                const auto row = static_cast<std::size_t>(i);
                Index last = row_begin[row + 1];
                while (column[static_cast<std::size_t>(last) - 1] >= to) --last;
                const Column above = row_product(value.data(), column.data(), diagonal[row] + 1, last, d.data(), from);
                const Column rest = loaded(&t[3 * row]) - above;
                const float s[3] = {rest[0], rest[1], rest[2]};
                store(product(&inverse[9 * row], s), &d[3 * static_cast<std::size_t>(i - from)]);
            }
            for (std::size_t k = 0; k < 3 * static_cast<std::size_t>(to - from); ++k) {
                z[3 * static_cast<std::size_t>(from) + k] += d[k];
            }
        },
        1);
}

} // namespace rubato
