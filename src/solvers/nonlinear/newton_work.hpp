#pragma once

#include "solvers/linear/region_solver.hpp"
#include "solvers/nonlinear/local_phase.hpp"
#include "solvers/nonlinear/newton.hpp"
#include "solvers/nonlinear/rigid_guess.hpp"

namespace rubato {

/// What Newton's method keeps from one solve to the next: solvers, matrices and vectors of the right size.
struct Newton::Work {
    std::unique_ptr<LinearSolver> linear;
    RegionSolver part{nullptr}; // the same for a part of the nodes
    LocalPhase local; // which part
    LineSearchAlong search;
    RigidGuess rigid;
    BlockMatrix root, H; // H has the pattern of the root, and blocks of contacts
    BlockPattern contacts{0}, more{0}; // that H was extended by; that it would have to be
    const System* system = nullptr; // that they belong to
    Vector g, p, rhs, y_new, guess, Minv_g, lift, H_lift;
    double forcing = 0; // relative error that the next iterative solve may have
};

} // namespace rubato
