#pragma once

#include "dynamics/assembly.hpp"
#include "solvers/linear/linear_solver.hpp"

#include <algorithm>
#include <vector>

namespace rubato {

/// Which Hessian an iteration of Newton's method takes. Projected ones are safe, but they hide the softening of a
/// compressed body, and that of contacts, which balance each other where a body turns: near the solution Newton's
/// method then converges linearly, and may stop short of a slow turn. So, once a step is short, the exact one is tried.
///
/// If it is indefinite, that is mostly the doing of few elements: those of the nodes where the direction of negative
/// curvature has it from are projected, the others stay exact (in the spirit of Fernandez-Fernandez et al. 2025,
/// "Progressively projected Newton's method"). When that does not help soon, all are, for twice as long as before. When
/// full steps get shorter but slowly, the marked nodes are given another chance.
class ProjectionPolicy {
public:
    /// `projected`: whether projecting is wanted at all. `safeguards`: whether anything may change.
    ProjectionPolicy(bool projected, bool safeguards)
        : projected_(projected)
        , safeguards_(safeguards)
        , everywhere_(projected)
    {
    }
    Projected wanted() const { return chosen(everywhere_, marked_); }
    /// Whether that has any element projected.
    bool projects() const
    {
        return everywhere_ || std::any_of(marked_.begin(), marked_.end(), [](char mark) { return mark != 0; });
    }
    /// What was wanted before the last change.
    Projected wanted_before() const { return chosen(everywhere_before_, marked_before_); }

    /// The Hessian was of no use: conjugate gradients met negative curvature, or the factorisation broke down. True if
    /// another one is to be taken. Whoever asks for exact Hessians gets the direction of negative curvature as it is
    /// (004). `nodal_curvature`: LinearSolver::negative_curvature().
    bool changed_after(LinearStatus status, const Vector* nodal_curvature);

    /// Takes back the marks of some nodes.
    void forget(const std::vector<Index>& nodes)
    {
        if (marked_.empty()) return;
        for (const Index i : nodes) marked_[static_cast<std::size_t>(i)] = 0;
    }

    /// `close`: the solution is near. `slow`: a full step was taken, and it was not much shorter than the last.
    void after_step(bool close, bool slow);

private:
    static Projected chosen(bool everywhere, const std::vector<char>& marked)
    {
        return everywhere || marked.empty() ? Projected(everywhere) : Projected(marked);
    }
    bool mark(const Vector& nodal_curvature);

    bool projected_, safeguards_, everywhere_;
    std::vector<char> marked_; // nodes whose elements are projected even when not all are
    bool everywhere_before_ = false;
    std::vector<char> marked_before_;
    int tries_ = 0; // of this iteration
    int wait_ = 0, pause_ = 1; // iterations
    int patience_ = 0, most_patience_ = 2; // slow steps with marked nodes
};

} // namespace rubato
