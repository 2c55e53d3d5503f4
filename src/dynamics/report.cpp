#include "dynamics/report.hpp"

namespace rubato {

std::string_view text(StopReason reason)
{
    switch (reason) {
    case StopReason::converged_step: return "Newton step below tolerance";
    case StopReason::converged_gradient: return "gradient below tolerance";
    case StopReason::converged_roundoff: return "converged to round-off";
    case StopReason::no_solve: return "no solve needed";
    case StopReason::enough: return "as far as the solver goes";
    case StopReason::iteration_limit: return "iteration limit reached";
    case StopReason::line_search_failed: return "line search found no decrease";
    case StopReason::linear_solver_failed: return "linear system could not be solved";
    case StopReason::not_finite: return "energy or force is not finite";
    case StopReason::infeasible_start: return "start is outside the domain of a potential";
    case StopReason::unbalanced: return "no equilibrium: something is held by nothing";
    case StopReason::unreachable_script: return "scripted nodes could not reach their place";
    }
    return "unknown";
}

bool succeeded(StopReason reason)
{
    return reason == StopReason::converged_step || reason == StopReason::converged_gradient
        || reason == StopReason::converged_roundoff || reason == StopReason::no_solve || reason == StopReason::enough;
}

void SolveReport::merge(const SolveReport& later)
{
    iterations += later.iterations;
    local_iterations += later.local_iterations;
    linear_iterations += later.linear_iterations;
    residual = later.residual > residual ? later.residual : residual;
    if (ok()) reason = later.reason;
}

} // namespace rubato
