#pragma once

#include "solvers/linear/cholesky.hpp"
#include "solvers/linear/conjugate_gradients.hpp"

namespace rubato {

/// Conjugate gradients that give way to a factorisation once they have cost as much.
///
/// How many iterations they need is not known before: contact between stiff bodies can make hundreds of a dozen. So
/// they begin, and what they have cost is compared with what a factorisation is expected to cost (choice.hpp). When it
/// is more, the system is factorised, and so are all others of the same nonlinear solve. Together that takes about
/// twice as long as the better of the two, at most.
///
/// Costs are counts, not times, and nothing is remembered from one nonlinear solve to the next: a step that is rejected
/// leaves no trace, and a run that is resumed decides alike.
class AutomaticSolver final : public LinearSolver {
public:
    /// X: rest positions, 3 per node. `root`: a matrix with the pattern without contacts, which is referred to.
    AutomaticSolver(int max_iterations, Vector X, const BlockMatrix& root)
        : root_(root)
        , iterative_(max_iterations, std::move(X))
        , direct_(false)
    {
    }
    void begin() override { factorises_ = false; }
    using LinearSolver::solve;
    LinearReport solve(const Operator& A, const Prescription& prescription, const Vector& b, const Precision& precision,
        Vector& p) override;
    const Vector* negative_curvature() const override { return iterative_.negative_curvature(); }

    bool factorises() const { return factorises_; } ///< has given up on conjugate gradients since `begin`

private:
    bool costs_more(double work, const BlockMatrix& A, const Prescription& prescription);

    const BlockMatrix& root_;
    ConjugateGradients iterative_;
    Cholesky direct_;
    bool factorises_ = false;
    double of_root_ = -1; // cost of a factorisation without contacts [s]; negative: not known yet
    // Of this solve: what a factorisation costs at least [s], and what that was taken from.
    double at_least_ = 0;
    enum class From { copying, root, pattern } from_ = From::copying;
};

} // namespace rubato
