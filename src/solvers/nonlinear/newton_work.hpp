#pragma once

#include "solvers/linear/region_solver.hpp"
#include "solvers/nonlinear/iterate.hpp"
#include "solvers/nonlinear/local_phase.hpp"
#include "solvers/nonlinear/newton.hpp"
#include "solvers/nonlinear/rigid_guess.hpp"

namespace rubato {

/// What Newton's method keeps from one solve to the next: solvers, matrices and vectors of the right size.
struct NewtonWork {
    explicit NewtonWork(const NewtonOptions& options);

    /// Makes what is made once for a system.
    void know(System& system, const NewtonOptions& options);

    /// Sees to it that H has room for what touches at y. What touched before in the same solve keeps its place: every
    /// new pattern costs a symbolic analysis. What touched in earlier solves does not, as long as it is another set: an
    /// answer must not depend, not even in its last bits, on how one came to the start.
    void make_room(IncrementalPotential& E, const Vector& y, bool first);

    std::unique_ptr<LinearSolver> linear;
    RegionSolver part; // the same for a part of the nodes
    LocalPhase local; // which part
    LineSearchAlong search;
    RigidGuess rigid;
    BlockMatrix root, H; // H has the pattern of the root, and blocks of contacts
    BlockPattern contacts{0}, more{0}; // that H was extended by; that it would have to be
    Iterate it;
    Vector rhs, y_new, guess, Minv_g, lift, H_lift;

private:
    std::uint64_t structure_ = 0, values_ = 0; // of the system that is known
};

} // namespace rubato
