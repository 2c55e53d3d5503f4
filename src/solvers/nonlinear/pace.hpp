#pragma once

#include "dynamics/region.hpp"
#include "solvers/nonlinear/line_search.hpp"
#include "solvers/nonlinear/projection.hpp"

#include <limits>

namespace rubato {

inline constexpr double roughest = 0.5; ///< relative error of an iterative solve that still is a useful direction
inline constexpr double exact_enough = 1e-2; ///< the one whose length may end the iteration
inline constexpr double near = 100; ///< steps below this many tolerances: the exact Hessian may well be definite
inline constexpr double doubtful = 10; ///< steps below this many tolerances are solved that exactly

/// How Newton's method gets on, over everything or over a part of the nodes, and what follows for the next iteration.
struct Pace {
    const Region* region = nullptr; ///< the part; null: everything
    double enough = 1; ///< of the tolerances: where these iterations end
    bool close = false; ///< the last step was short enough; is y balanced?
    double travelled = 0; ///< in these iterations, at most [m]
    double forcing = roughest; ///< relative error that the next iterative solve may have
    double shortest = std::numeric_limits<double>::infinity(); ///< step so far [m]
    double before = std::numeric_limits<double>::infinity(); ///< the last step [m]
    int flat_steps = 0, stalled_steps = 0; ///< that showed nothing but round-off
    ProjectionPolicy projection;

    bool partial() const { return region != nullptr; }

    /// Takes note of a step of largest nodal length `longest` [m] from E = f along a given slope; true if it and those
    /// before show that E has no more to give than round-off.
    bool at_round_off_after(
        const LineSearchAlong::Result& found, double f, double slope, double longest, double tolerance);
};

} // namespace rubato
