#include "solvers/linear/choice.hpp"

#include "solvers/linear/conjugate_gradients.hpp"

#include <limits>
#include <random>

namespace rubato {

namespace {

constexpr int quick = 30; // iterations: hardly anything is factorised that fast
constexpr double typical = 1e-2; // relative error that a Newton step asks for

// Measured with bars, plates, shells and rods of 400 to 20 000 nodes (docs/solvers/linear.md). A trial takes half as
// many iterations again as a Newton step does on average, and an iteration 11 ns for each block.
constexpr double seconds_of_trial = 7.5e-9; // of an iteration of the trial, for each block
constexpr double seconds_per_flop = 0.027e-9; // of a factorisation
constexpr double seconds_per_entry = 5e-9; // of its factor: to store it, to substitute
constexpr double seconds_per_copy = 120e-9; // of a block: to bring it in order, to assemble fronts

} // namespace

double cholesky_seconds(const CholeskyWork& work, std::size_t blocks)
{
    return seconds_per_flop * work.flops + seconds_per_entry * work.entries
        + seconds_per_copy * static_cast<double>(blocks);
}

SolveCosts expected_costs(System& system, const BlockMatrix& root, const LinearSolverOptions& options, double h)
{
    BlockMatrix A = root;
    A.set_zero();
    system.mass.add_to(A, 1 / (h * h));
    Assembly at_rest{.hessian = &A};
    bool touches = false;
    for (const auto& potential : system.potentials) {
        if (potential->kind() == EnergyKind::contact) {
            touches = true;
        } else {
            potential->add(system.X, 0, at_rest);
        }
    }
    A.mirror();

    // Some load that has every shape in it.
    Vector b(system.X.size()), p;
    std::mt19937 random(1);
    for (double& f : b) f = static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 0.5;

    SolveCosts costs{.cholesky = std::numeric_limits<double>::infinity()};
    ConjugateGradients trial(options.cg_max_iterations, system.X);
    costs.iterations = trial.solve(A, system.prescription, b, {typical}, p).iterations;
    costs.conjugate_gradients = costs.iterations * seconds_of_trial * static_cast<double>(A.block_count());
    if (costs.iterations <= quick) return costs;
    costs.cholesky = cholesky_seconds(Cholesky(false).work(A, system.prescription), A.block_count());
    if (touches) costs.cholesky *= with_contact;
    return costs;
}

LinearMethod cheaper_method(System& system, const BlockMatrix& root, const LinearSolverOptions& options, double h)
{
    const bool can_tell = h > 0 && options.multigrid && system.X.size() > 0;
    if (!can_tell) return LinearMethod::conjugate_gradients;
    const SolveCosts costs = expected_costs(system, root, options, h);
    return costs.cholesky < costs.conjugate_gradients ? LinearMethod::cholesky : LinearMethod::conjugate_gradients;
}

} // namespace rubato
