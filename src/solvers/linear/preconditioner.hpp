#pragma once

#include "base/types.hpp"
#include "dynamics/prescription.hpp"
#include "math/block_matrix.hpp"

namespace rubato {

/// Work, counted in 3x3 blocks of a matrix that are gone through.
struct PreconditionerWork {
    double to_make = 0; ///< for a matrix
    double to_apply = 0;
};

/// A symmetric positive definite B near A^-1, for conjugate gradients.
class Preconditioner {
public:
    virtual ~Preconditioner() = default;
    /// Looks at A, of which the prescribed unknowns are left out.
    virtual void prepare(const BlockMatrix& A, const Prescription& prescription) = 0;
    /// z = B r; both are zero at prescribed unknowns.
    virtual void apply(const Prescription& prescription, const Vector& r, Vector& z) = 0;
    /// Iterations that an estimate of the error has to look back on, at least: the fewer, the more evenly it converges.
    virtual std::size_t look_back() const = 0;
    /// What it takes for the matrix of the last prepare.
    virtual PreconditionerWork work() const = 0;
};

} // namespace rubato
