#pragma once

#include "base/options.hpp"
#include "dynamics/incremental_potential.hpp"
#include "dynamics/report.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/nonlinear/line_search.hpp"

#include <memory>
#include <vector>

namespace rubato {

class ProjectionPolicy;

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

/// Minimises an incremental potential.
class Newton {
public:
    explicit Newton(NewtonOptions options);
    Newton(Newton&&) noexcept;
    ~Newton();

    /// From `start` (admissible) to y. The step length h [s] turns the velocity tolerance into metres.
    SolveReport minimise(IncrementalPotential& E, const Vector& start, double h, Vector& y);

    const NewtonOptions& options() const { return options_; }

private:
    void know(System& system);
    void make_room(IncrementalPotential& E, const Vector& y, bool first);
    bool take_best_guess(IncrementalPotential& E, const Vector& start, double tolerance, Vector& y);
    LinearStatus newton_step(IncrementalPotential& E, const Region* region, double h, SolveReport& report);
    bool direction(IncrementalPotential& E, const Region* region, const Vector& y, double h,
        ProjectionPolicy& projection, bool& certain, SolveReport& report);
    double carry_script(IncrementalPotential& E, Vector& y, SolveReport& report);

    struct Work;
    NewtonOptions options_;
    std::unique_ptr<Work> work_;
};

} // namespace rubato
