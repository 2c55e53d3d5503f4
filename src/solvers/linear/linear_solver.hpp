#pragma once

#include "base/types.hpp"
#include "dynamics/prescription.hpp"
#include "solvers/linear/operator.hpp"

#include <memory>
#include <string>

namespace rubato {

enum class LinearMethod {
    cholesky,
    conjugate_gradients,
    automatic, ///< the one that is expected to be faster (choice.hpp); only Newton's method can ask for it
};

struct LinearSolverOptions {
    LinearMethod method = LinearMethod::cholesky;
    double cg_scale = 1; ///< sigma in the inexact tolerance min(1/2, sigma sqrt(max(|g|, tol))) of 004 sec. 3.1
    int cg_max_iterations = 0; ///< 0: ten times the number of unknowns
    double step = 0; ///< time step that an automatic choice is made for [s]; 0: unknown
    bool multigrid = true; ///< precondition conjugate gradients by it where rest positions are known
};

enum class LinearStatus {
    solved,
    inexact, ///< the iteration limit came first: a descent direction, but its length says nothing
    indefinite, ///< conjugate gradients met negative curvature and returned the last iterate (a descent direction)
    failed, ///< no useful direction: the factorisation broke down, or there is no stored matrix to factorise
};

struct LinearReport {
    LinearStatus status = LinearStatus::solved;
    int iterations = 0;
};

/// How exactly to solve.
struct Precision {
    double tolerance; ///< relative error of p
    double of_short = 1; ///< the same for a p that turns out to be short, if it is less
    double is_short = 0; ///< largest nodal length of such a p [m]
};

/// Solves A p = b on the free unknowns; prescribed entries of p are zero.
class LinearSolver {
public:
    virtual ~LinearSolver() = default;
    /// A nonlinear solve begins: what was learnt from earlier ones is to be forgotten.
    virtual void begin() { }
    /// `precision`: what relative error is wanted, in the energy norm |p|_A (iterative methods only).
    virtual LinearReport solve(
        const Operator& A, const Prescription& prescription, const Vector& b, const Precision& precision, Vector& p)
        = 0;
    LinearReport solve(
        const BlockMatrix& A, const Prescription& prescription, const Vector& b, const Precision& precision, Vector& p)
    {
        return solve(StoredOperator(A), prescription, b, precision, p);
    }
    /// If the last solve said `indefinite`: what each node adds to the curvature q . A q <= 0 of a direction q, that is
    /// q_i . (A q)_i; null if the solver cannot tell.
    virtual const Vector* negative_curvature() const { return nullptr; }
};

/// `indefinite_ok`: factorise L D L^T so that an indefinite matrix can be solved too (plain Newton).
/// X: rest positions, 3 per node; empty: unknown.
std::unique_ptr<LinearSolver> make_linear_solver(
    const LinearSolverOptions& options, bool indefinite_ok, const Vector& X = {});

} // namespace rubato
