#pragma once

#include "base/options.hpp"
#include "dynamics/stage_solver.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/nonlinear/line_search.hpp"

#include <memory>
#include <vector>

namespace rubato {

struct NewtonWork;

/// Options of Newton's method (004 sec. 3.1).
struct NewtonOptions {
    double velocity_tolerance = 1e-2; ///< stop when the largest nodal Newton step is below this times h [m/s]
    double gradient_tolerance = 0; ///< stop when the largest nodal |M^-1 g|/scale is below this [m/s^2]; 0: never
    /// Go on after that until what is out of balance would change no nodal velocity by more than the velocity
    /// tolerance. Friction needs it, for it takes normal forces from where a solve ended: an error of a tenth of dhat,
    /// too short for the first test, is a force many times the weight.
    bool balanced = false;
    int max_iterations = 200;
    LineSearch line_search = LineSearch::backtracking;
    bool projected = true; ///< positive semidefinite element Hessians; false: exact ones
    double lift = 0; ///< of projected Hessians: what negative eigenvalues become, relative to the element's largest
    bool safeguards = true; ///< descent test with gradient fallback, length clamp, retry with projection
    bool better_guess = true; ///< try both initial guesses and take the better one; false: start from x
    bool local_solves = true; ///< iterate on a part of the nodes when only few of them still move
    double max_step_length = 1e3; ///< length clamp l of 004 sec. 3.1 [m]
    LinearSolverOptions linear = {};
};

/// The option list for scenes, and its reading.
const std::vector<OptionSpec>& newton_option_specs();
NewtonOptions newton_options(const Options& options);

/// Minimises an incremental potential by Newton's method. It remembers nothing from one solve to the next but what is
/// computed once for a system.
class Newton final : public StageSolver {
public:
    explicit Newton(NewtonOptions options);
    ~Newton() override;

    /// The length of the step turns the velocity tolerance into metres.
    void begin_step(const StepStart& step) override { h_ = step.h; }
    SolveReport minimise(IncrementalPotential& E, const Vector& start, Vector& y) override;

private:
    NewtonOptions options_;
    double h_ = 0; // [s]
    std::unique_ptr<NewtonWork> work_;
};

} // namespace rubato
