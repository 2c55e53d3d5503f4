#pragma once

#include "solvers/linear/linear_solver.hpp"

namespace rubato {

/// Sparse Cholesky by CHOLMOD. The ordering and symbolic analysis are done once per matrix pattern; each solve only
/// copies values, factorises and substitutes. BLAS runs on one thread, so results do not depend on the thread count.
class Cholesky final : public LinearSolver {
public:
    /// `indefinite_ok`: simplicial L D L^T, which also solves most indefinite systems; otherwise supernodal L L^T,
    /// which is faster and reports failure when the matrix is not positive definite.
    explicit Cholesky(bool indefinite_ok);
    ~Cholesky() override;

    LinearReport solve(const BlockMatrix& A, const Prescription& prescription, const Vector& b,
        const Precision& precision, Vector& p) override;

private:
    void analyze(const BlockMatrix& A, const Prescription& prescription);

    struct Factor; // CHOLMOD's objects
    std::unique_ptr<Factor> factor_;
};

} // namespace rubato
