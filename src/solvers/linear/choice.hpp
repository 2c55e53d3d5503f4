#pragma once

#include "dynamics/system.hpp"
#include "solvers/linear/cholesky.hpp"
#include "solvers/linear/linear_solver.hpp"

namespace rubato {

inline constexpr double seconds_per_block = 2e-9; ///< of a matrix that conjugate gradients or multigrid go through
inline constexpr double with_contact = 2; ///< times as much for a factorisation whose pattern is another one every time

/// What a factorisation of a matrix of so many blocks takes, the analysis of its pattern aside [s].
double cholesky_seconds(const CholeskyWork& work, std::size_t blocks);

/// What one linear solve is expected to take, on one core of the processor that it was measured on [s]. Only the ratio
/// of the two counts, which differs less from one machine to the next.
struct SolveCosts {
    int iterations = 0; ///< of conjugate gradients, in a trial
    double conjugate_gradients = 0;
    double cholesky = 0; ///< infinity: not looked at, since conjugate gradients are quick
};

/// Tries both on the Hessian of the system at rest, M/h^2 + grad^2 P(X), without contact: conjugate gradients are run,
/// the factorisation is only counted. The answer depends on the system and on h [s] and on nothing else, so that it is
/// the same in a run that is resumed.
SolveCosts expected_costs(System& system, const BlockMatrix& root, const LinearSolverOptions& options, double h);

/// The method that is expected to be faster. Mostly that is conjugate gradients: multigrid keeps the number of
/// iterations low. In thin, stiff bodies it does not, and such bodies are quickly factorised.
LinearMethod cheaper_method(System& system, const BlockMatrix& root, const LinearSolverOptions& options, double h);

} // namespace rubato
