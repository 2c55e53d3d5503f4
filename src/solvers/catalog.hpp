#pragma once

#include "base/options.hpp"
#include "dynamics/stage_solver.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato {

/// What a solver is to be used for, beside what its options say.
struct SolverUse {
    double step = 0; ///< length of most steps [s]; 0: unknown
    bool friction = false; ///< normal forces are taken from where a solve ends
};

/// One line of the solver catalog. It feeds the scene reader, `rubato list`, the docs and the contract tests.
struct SolverEntry {
    std::string name; ///< as scenes spell it, e.g. "newton"
    std::string summary;
    std::vector<OptionSpec> options;
    std::function<std::unique_ptr<StageSolver>(const Options&, const SolverUse&)> make;
    bool minimises = true; ///< to its tolerance; false: it stops at an approximation of its own
};

/// The first entry minimises: it is what a scene that names none gets, and what looks for states of rest where the
/// solver of the scene does not minimise.
const std::vector<SolverEntry>& solver_catalog();

} // namespace rubato
