#include "solvers/nonlinear/linearly_implicit.hpp"

namespace rubato {

LinearlyImplicit::LinearlyImplicit()
    : linear_(make_linear_solver({.method = LinearMethod::cholesky}, true))
{
}

std::vector<Refusal> LinearlyImplicit::refusals(const System& system) const
{
    std::vector<Refusal> found;
    for (const auto& potential : system.potentials) {
        if (potential->kind() != EnergyKind::contact) continue;
        found.push_back({std::string(potential->name()),
            "it takes one full step, and nothing would keep that from passing through a surface"});
    }
    return found;
}

/// H_ff p_f = -g_f - H_fc p_c, p_c the way of scripted unknowns to their place.
SolveReport LinearlyImplicit::minimise(IncrementalPotential& E, const Vector& start, Vector& y)
{
    const Prescription& script = E.system().prescription;
    if (structure_ != E.system().structure) {
        H_ = BlockMatrix(E.system().pattern());
        structure_ = E.system().structure;
    }
    y = start;
    E.linearise(start, v_, g_, H_);
    script.set_positions(E.time(), y);
    lift_ = y - start;
    H_.multiply(lift_, H_lift_);
    g_ = -g_ - H_lift_;
    script.set_zero(g_);
    LinearReport linear;
    {
        const PhaseClock clock(E.times().linear);
        linear = linear_->solve(H_, script, g_, {1e-2}, p_);
    }
    SolveReport report{.reason = StopReason::enough, .iterations = 1};
    report.linear_iterations = linear.iterations;
    if (linear.status == LinearStatus::failed) {
        report.reason = StopReason::linear_solver_failed;
        return report;
    }
    report.residual = largest_nodal_norm(p_);
    y += p_;
    E.retract(y);
    if (!y.allFinite()) report.reason = StopReason::not_finite;
    return report;
}

} // namespace rubato
