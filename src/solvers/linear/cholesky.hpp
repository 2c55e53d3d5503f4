#pragma once

#include "solvers/linear/linear_solver.hpp"

namespace rubato {

/// What a factorisation takes.
struct CholeskyWork {
    double flops; ///< floating-point operations
    double entries; ///< of the factor
};

/// Sparse Cholesky by CHOLMOD. The ordering and symbolic analysis are done once per matrix pattern; each solve only
/// copies values, factorises and substitutes. BLAS runs on one thread, so results do not depend on the thread count.
class Cholesky final : public LinearSolver {
public:
    /// `indefinite_ok`: simplicial L D L^T, which also solves most indefinite systems; otherwise supernodal L L^T,
    /// which is faster and reports failure when the matrix is not positive definite.
    explicit Cholesky(bool indefinite_ok);
    ~Cholesky() override;

    using LinearSolver::solve;
    LinearReport solve(const Operator& A, const Prescription& prescription, const Vector& b, const Precision& precision,
        Vector& p) override;

    /// For a matrix with this pattern; does the analysis, not the factorisation.
    CholeskyWork work(const BlockMatrix& A, const Prescription& prescription);

private:
    void analyze(const BlockMatrix& A, const Prescription& prescription);

    struct Factor; // CHOLMOD's objects
    std::unique_ptr<Factor> factor_;
};

} // namespace rubato
