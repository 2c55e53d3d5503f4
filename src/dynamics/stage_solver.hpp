#pragma once

#include "base/archive.hpp"
#include "dynamics/incremental_potential.hpp"
#include "dynamics/report.hpp"
#include "dynamics/state.hpp"

#include <limits>
#include <string>
#include <vector>

namespace rubato {

/// What a solver cannot do.
struct Refusal {
    std::string term; ///< of the system, as messages name it
    std::string why; ///< one clause
};

/// A step as its solver sees it begin.
struct StepStart {
    const State& now;
    double h; ///< length of the step [s]
    /// What the total energy should be above that at rest [J], for solvers that stop in joules; not a number: unknown.
    double energy = std::numeric_limits<double>::quiet_NaN();
};

/// A way to solve the stages of a step. One entry of the solver catalog each.
///
/// Like an integrator it may use members as work space, but what later solves depend on (duals, warm starts) moves in
/// `accept` alone and goes through `serialize`: a rejected attempt leaves no trace, and a run that is resumed gives the
/// same bits. What is computed once for a system is kept under System::structure and System::values.
class StageSolver {
public:
    virtual ~StageSolver() = default;

    /// Terms that it cannot solve for; asked when a scene is built.
    virtual std::vector<Refusal> refusals(const System& /*system*/) const { return {}; }

    /// A step begins; memory is as the last `accept` left it. Repeating it for a retry is harmless.
    virtual void begin_step(const StepStart& /*step*/) { }

    /// Goes from `start`, which is admissible, to y: the minimiser of E, or what the solver takes for it. On failure y
    /// holds the last iterate.
    virtual SolveReport minimise(IncrementalPotential& E, const Vector& start, Vector& y) = 0;

    /// The step whose stages were solved last has been accepted.
    virtual void accept() { }

    /// Saves or restores memory.
    virtual void serialize(Archive& /*archive*/) { }
};

} // namespace rubato
