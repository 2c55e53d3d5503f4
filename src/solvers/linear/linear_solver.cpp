#include "solvers/linear/linear_solver.hpp"

#include "solvers/linear/cholesky.hpp"
#include "solvers/linear/conjugate_gradients.hpp"

namespace rubato {

std::unique_ptr<LinearSolver> make_linear_solver(
    const LinearSolverOptions& options, bool indefinite_ok, const Vector& X)
{
    if (options.method == LinearMethod::cholesky) return std::make_unique<Cholesky>(indefinite_ok);
    return std::make_unique<ConjugateGradients>(options.cg_max_iterations, options.multigrid ? X : Vector());
}

} // namespace rubato
