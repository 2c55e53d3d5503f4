#include "integrators/energy_constraint.hpp"

#include "integrators/end_point.hpp"
#include "integrators/energy_error.hpp"
#include "integrators/secant_search.hpp"

#include <cmath>

namespace rubato {

/// Hughes, Caughey and Liu 1978, as 001 sec. 2 refers to it: the trapezoidal rule with v' = 2 (x' - x)/h - v is the
/// minimiser of 1/2 |x' - x_tilde|^2_M + s P(x'), x_tilde = x + h v + s a, s = h^2/4; now subject to H(x', v') =
/// target. With c = x + h v/2 the kinetic energy is (1/s) 1/2 |x' - c|^2_M, and stationarity with the multiplier s mu
/// of H,
///
///     M (x' - x_tilde) + s grad P + mu (s grad P + M (x' - c)) = 0,
///
/// divided by 1 + mu, is the same stage with another inertial target:
///
///     x_bar = c + (1 - theta) d,     d = x_tilde - c = h v/2 + s a,     theta = mu/(1 + mu)
///
/// So one number is left. On a linear system H is linear in psi = (1 - theta)^2 (theta = 1 is the least H there is), so
/// a secant iteration in psi, kept in its bracket, finds it in few stages; where no psi >= 0 does, the best one is
/// taken.
///
/// The stage sees dissipation at v', in full; the multiplier acts on the conservative part only. Second order.
/// Momenta are not kept: d moves the centre of mass, too. Dissipated: as the trapezoidal rule books it.
StepOutcome EnergyConstraint::step(const StepRequest& r, State& next)
{
    constexpr int most_solves = 30; // two to five are usual; where the minimiser jumps with psi, H has a step
    const auto& [t, x, v] = r.now;
    const double h = r.h, s = 0.25 * h * h;
    const double allowed = near_enough(r, tolerance_);

    r.dynamics.acceleration(t, x, v, a_);
    d_ = (0.5 * h) * v + s * a_;
    stage_.x_anchor = x + (0.5 * h) * v;
    stage_.tau = 0.5 * h;
    stage_.scale = s;
    stage_.t = trial_.t = t + h;

    StepOutcome best;
    SolveReport solve;
    SecantSearch search(r.dynamics.mass_inner(d_, d_) / (2 * s)); // dH/dpsi, if forces were weak
    double psi = 1, e_best = 0;
    start_ = x;
    for (int k = 0; k < most_solves && std::isfinite(psi); ++k) {
        stage_.x_tilde = stage_.x_anchor + std::sqrt(psi) * d_;
        const SolveReport report = r.dynamics.solve(stage_, start_, trial_.x);
        if (k > 0 && !report.ok()) break; // a search that went too far: what was found before stands
        solve.merge(report);
        if (!solve.ok()) return unsolved(solve);

        start_ = trial_.x;
        dx_ = trial_.x - x;
        trial_.v = (2 / h) * dx_ - v;
        r.dynamics.prescribe(trial_);
        const Dissipated dissipated = 0.5 * (r.dynamics.dissipated(v, dx_) + r.dynamics.dissipated(trial_.v, dx_));
        const double e = energy_error(r, trial_, dissipated);
        if (k == 0 || std::abs(e) < std::abs(e_best)) {
            next = trial_;
            best = at_stage_solution(r.dynamics, next, solve, dissipated);
            best.alpha = 1 - std::sqrt(psi);
            e_best = e;
        }
        if (!(std::abs(e) > allowed)) break;
        psi = search.after(psi, e);
    }
    best.solve = solve;
    return best;
}

std::vector<OptionSpec> EnergyConstraint::options()
{
    return {
        {.name = "tolerance",
            .fallback = default_tolerance,
            .summary = "how near to the target is near enough, relative to the total energy",
            .least = 0},
    };
}

std::unique_ptr<Integrator> EnergyConstraint::make(const Options& o)
{
    return std::make_unique<EnergyConstraint>(o.real("tolerance"));
}

} // namespace rubato
