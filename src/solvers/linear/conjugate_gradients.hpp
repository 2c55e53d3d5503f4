#pragma once

#include "solvers/linear/block_jacobi.hpp"
#include "solvers/linear/linear_solver.hpp"

#include <functional>

namespace rubato {

/// Conjugate gradients from zero, preconditioned by multigrid or by the 3x3 diagonal blocks (004 sec. 3.1,
/// "Conjugate gradient").
///
/// It stops on an estimate of its error in the energy norm, not on the residual. In a stiff body the residual is all
/// high frequency: it can fall far while the slow, global part of the answer has not been touched. Iteration k lowers
/// the squared energy-norm error by exactly gain_k = step_k (r_k . z_k) (Hestenes and Stiefel 1952), so what the last
/// third of the iterations gained, against what all gained, tells how much is still to come.
///
/// If the matrix shows negative curvature it returns the last iterate, or the preconditioned right-hand side when that
/// happens at once: either way a descent direction.
///
/// Of the matrix it needs products and the blocks of the diagonal; multigrid takes one that is stored.
class ConjugateGradients final : public LinearSolver {
public:
    /// X: rest positions, 3 per node, for multigrid; empty: block Jacobi.
    ConjugateGradients(int max_iterations, Vector X);
    using LinearSolver::solve;
    LinearReport solve(const Operator& A, const Prescription& prescription, const Vector& b, const Precision& precision,
        Vector& p) override;

    /// Asked before every iteration, with what the solve has taken so far [blocks of A gone through]: true ends it.
    using TooMuch = std::function<bool(double work)>;
    /// As above, unless it is ended: `gave_up`, and p says nothing.
    LinearReport solve_within(const TooMuch& too_much, const Operator& A, const Prescription& prescription,
        const Vector& b, const Precision& precision, Vector& p);
    bool gave_up() const { return gave_up_; }

    const Vector* negative_curvature() const override { return &nodal_curvature_; }

private:
    LinearReport iterate(const Operator& A, const Prescription& prescription, Preconditioner& B, const Vector& b,
        const Precision& precision, Vector& p);

    void note_curvature(const Vector& q);

    const TooMuch* too_much_ = nullptr; // of this solve; null: nothing is
    double work_ = 0; // of this solve
    bool gave_up_ = false;
    int max_iterations_; // 0: ten times the number of unknowns
    std::unique_ptr<Preconditioner> multigrid_; // null: none
    BlockJacobi block_jacobi_;
    Vector r_, z_, q_, Aq_, nodal_curvature_;
    std::vector<double> ratios_, parts_; // work
    std::vector<double> gained_; // energy gained up to each iteration
};

} // namespace rubato
