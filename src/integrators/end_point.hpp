#pragma once

#include "dynamics/integrator.hpp"

/// How an attempted step ends, for all methods.
namespace rubato {

/// A stage of the step could not be solved.
inline StepOutcome unsolved(const SolveReport& solve) { return {.status = StepStatus::solve_failed, .solve = solve}; }

/// A point on the way is not finite or may not be visited.
inline StepOutcome broken_off(StepStatus status, const SolveReport& solve = {})
{
    return {.status = status, .solve = solve};
}

/// The end point is a stage solution, so the solver has already seen to it that it can be reached.
inline StepOutcome at_stage_solution(
    const Dynamics& dynamics, const State& next, const SolveReport& solve, const Dissipated& dissipated)
{
    return {.status = dynamics.finite(next) ? StepStatus::ok : StepStatus::not_finite,
        .solve = solve,
        .dissipated = dissipated};
}

/// The end point was computed, not solved for: ask whether one may go there straight from `from`, a point known to be
/// good (the start of the step, or a stage solution).
inline StepOutcome at_computed_point(
    Dynamics& dynamics, const Vector& from, const State& next, const SolveReport& solve, const Dissipated& dissipated)
{
    StepOutcome outcome = at_stage_solution(dynamics, next, solve, dissipated);
    if (outcome.status == StepStatus::ok && !dynamics.admissible(next.t, from, next.x)) {
        outcome.status = StepStatus::inadmissible;
    }
    return outcome;
}

} // namespace rubato
