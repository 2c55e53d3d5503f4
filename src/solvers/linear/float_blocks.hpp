#pragma once

#include "base/types.hpp"

#include <vector>

/// Sparse matrices of 3x3 blocks in single precision: what a preconditioner works with. It is right to a few digits
/// only, and half the bytes are half the time.
namespace rubato {

using FloatVector = std::vector<float>; ///< three entries per node and one behind that may be read

struct FloatBlocks {
    std::vector<Index> row_begin{0};
    std::vector<Index> column; ///< ascending in each row
    std::vector<float> value; ///< nine for each block, columns first, and three behind that may be read
    std::vector<Index> diagonal; ///< where the block (i, i) is
    std::vector<float> inverse; ///< of the diagonal blocks, nine each, and three behind
    Index piece = 0; ///< rows that are swept one after the other; pieces are swept at the same time

    Index rows() const { return static_cast<Index>(row_begin.size()) - 1; }
    void find_diagonal(); ///< and the size of pieces
    /// False if a diagonal block is not positive definite; the inverse is then that of its trace.
    bool invert_diagonal();

    /// y -= A x
    void subtract_product(const FloatVector& x, FloatVector& y) const;

    /// z = (D + L)^-1 r with L what is below the diagonal in the row's piece, and t = r - A z.
    void sweep_down(const FloatVector& r, FloatVector& z, FloatVector& t) const;
    /// z += (D + U)^-1 t
    void sweep_up(const FloatVector& t, FloatVector& z) const;
};

} // namespace rubato
