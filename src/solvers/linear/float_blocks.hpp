#pragma once

#include "base/types.hpp"

#include <vector>

/// Sparse matrices of 3x3 blocks in single precision: what a preconditioner works with. It is right to a few digits
/// only, and half the bytes are half the time.
namespace rubato {

using FloatVector = std::vector<float>; ///< three entries per node and one behind that may be read

/// Rows in pieces, pieces in colours: two pieces of the same colour have no block in common. Sweeping colour after
/// colour, the pieces of one at the same time, gives what sweeping row after row does, whatever the number of threads.
struct SweepOrder {
    std::vector<Index> piece_begin{0}; ///< first row of each, and the end
    std::vector<Index> colour_begin{0}; ///< first piece of each, and the end

    /// All rows in one piece.
    static SweepOrder one_after_the_other(Index rows) { return {{0, rows}, {0, 1}}; }
    /// Cuts `nodes`, an order in which neighbours are close, into pieces, colours them and sorts them by colour.
    static SweepOrder coloured(
        const std::vector<Index>& row_begin, const std::vector<Index>& column, std::vector<Index>& nodes);
};

struct FloatBlocks {
    std::vector<Index> row_begin{0};
    std::vector<Index> column; ///< ascending in each row
    std::vector<float> value; ///< nine for each block, columns first, and some behind that may be read
    std::vector<Index> diagonal; ///< where the block (i, i) is
    std::vector<float> inverse; ///< of the diagonal blocks, nine numbers each, and some behind
    SweepOrder order; ///< which rows may be swept at the same time

    Index rows() const { return static_cast<Index>(row_begin.size()) - 1; }
    void make_room(); ///< for the values of the blocks in `column`
    void find_diagonal(); ///< and makes room for its inverse
    void invert_diagonal(Index row); ///< a block that is not positive definite counts as a multiple of the identity

    /// y -= A x
    void subtract_product(const FloatVector& x, FloatVector& y) const;

    /// z = (D + L)^-1 r and t = r - A z, with L what is left of the diagonal.
    void sweep_down(const FloatVector& r, FloatVector& z, FloatVector& t) const;
    /// z += (D + U)^-1 (r - A z), with U what is right of the diagonal: row after row, from the last to the first, with
    /// what z has become by then. That goes through the matrix once.
    void sweep_up(const FloatVector& r, FloatVector& z) const;
};

} // namespace rubato
