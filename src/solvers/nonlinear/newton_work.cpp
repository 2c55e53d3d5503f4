#include "solvers/nonlinear/newton_work.hpp"

#include "solvers/linear/automatic.hpp"
#include "solvers/linear/choice.hpp"

namespace rubato {

namespace {

/// Parts are small and held by the rest: conjugate gradients are fast there, and tell where curvature is negative.
std::unique_ptr<LinearSolver> solver_of_parts(LinearSolverOptions options)
{
    options.method = LinearMethod::conjugate_gradients;
    return make_linear_solver(options, false);
}

std::unique_ptr<LinearSolver> solver_of_all(const NewtonOptions& options, System& system, const BlockMatrix& root)
{
    const bool plain = !options.projected && !options.safeguards;
    LinearSolverOptions linear = options.linear;
    if (linear.method == LinearMethod::automatic) linear.method = cheaper_method(system, root, linear, linear.step);
    const bool may_change = options.linear.method == LinearMethod::automatic && linear.multigrid
        && linear.method == LinearMethod::conjugate_gradients && system.X.size() > 0;
    if (may_change) return std::make_unique<AutomaticSolver>(linear.cg_max_iterations, system.X, root);
    return make_linear_solver(linear, plain, system.X);
}

} // namespace

NewtonWork::NewtonWork(const NewtonOptions& options)
    : part(solver_of_parts(options.linear))
{
}

void NewtonWork::know(System& system, const NewtonOptions& options)
{
    if (structure_ == system.structure && values_ == system.values) return;
    if (structure_ != system.structure) {
        root = BlockMatrix(system.pattern());
        H = root;
        contacts = more = BlockPattern(root.rows());
    }
    // The choice of a linear solver and centres of mass depend on values, too.
    linear = solver_of_all(options, system, root);
    rigid = RigidGuess(system, root.root());
    structure_ = system.structure;
    values_ = system.values;
}

void NewtonWork::make_room(IncrementalPotential& E, const Vector& y, bool first)
{
    more.clear();
    E.pattern_at(y, more);
    if (first) {
        more.sort();
        if (contacts.pairs() == more.pairs()) return;
        contacts.clear();
    } else if (H.covers(more)) {
        return;
    }
    for (const auto& [i, j] : more.pairs()) contacts.add(i, j);
    contacts.sort();
    H = contacts.pairs().empty() ? root : BlockMatrix::extended(root, contacts);
}

} // namespace rubato
