#include "integrators/decoupled.hpp"

namespace rubato {

/// 000 sec. 4.1, App. B to D. A Runge-Kutta method Phi = (A, b), with dissipation, ends at (x', w) (eq. 6); its adjoint
/// Phi* = (e b^T - A, b), started from the same state and with conservative forces only, has the velocity v* (eq. 7):
///
///     v' = w - alpha (w_c - v*),     w_c - v* = h sum_i b_i (a(X_i) - a(X*_i))           (eq. 8)
///
/// where a are conservative accelerations at the stages of both, as their solves left them (solved_acceleration.hpp),
/// so that dissipation takes part in Phi alone (sec. 4.5). On an oscillator alpha = 1 is symplectic for every tableau
/// (App. C), stable at every step only for some. The order is that of the tableau for every bounded alpha. Implicit
/// Euler's tableau gives A-1 and A-search.
///
/// Dissipated: as the tableau books it (dirk_stages.cpp). One of first order lacks half a step of every stop, so there
/// it is sum_i b_i grad D(V_i) . h (w_old + w)/2 as for A-search (impulse_loss.hpp); not for others, where stiff
/// damping would make next to nothing of w and w_old, and the search would give back what the first stages lose.
StepOutcome Decoupled::step(const StepRequest& r, State& next)
{
    const StepOutcome rows = base_.taken(r);
    if (rows.status != StepStatus::ok) return rows;
    StepOutcome outcome = base_.end_of_step(r, rows.solve, next);
    if (outcome.status != StepStatus::ok) return outcome;
    r.dynamics.prescribe(next);
    const Vector& way = loss_.way(r.h, next.v);

    const StepOutcome adjoint_rows = adjoint_.taken(r, &a_.at_start(r));
    outcome.solve.merge(adjoint_rows.solve);
    outcome.status = adjoint_rows.status;
    if (outcome.status != StepStatus::ok) return outcome;

    dv_.setZero(next.v.size());
    outcome.alpha = 1;
    if (by_impulse_) outcome.dissipated = {};
    for (std::size_t i = 0; i < base_.size(); ++i) {
        const State& Z = base_.stage(i);
        if (by_impulse_)
            outcome.dissipated = outcome.dissipated + base_.tableau().b[i] * r.dynamics.dissipated(Z.v, way);
        r.dynamics.dissipative_acceleration(Z.t, Z.v, drag_);
        a_.at_end() = base_.acceleration(i) - drag_; // after the last row, that of x' if the tableau ends there
        dv_ += (r.h * base_.tableau().b[i]) * a_.at_end();
        dv_ -= (r.h * adjoint_.tableau().b[i]) * adjoint_.acceleration(i);
    }
    if (base_.tableau().stiffly_accurate()) a_.remember(r);
    w_ = next.v;
    if (rule_.searches())
        outcome.alpha = rule_.found(r, w_, dv_, outcome.dissipated, next);
    else
        next.v -= dv_;
    r.dynamics.prescribe(next);
    if (!r.dynamics.finite(next.v)) outcome.status = StepStatus::not_finite;
    return outcome;
}

std::vector<OptionSpec> Decoupled::symplectic_options() { return Dirk::options(sdirk2_tableau()); }

std::vector<OptionSpec> Decoupled::alpha_options()
{
    std::vector<OptionSpec> all = symplectic_options();
    for (const OptionSpec& option : AlphaRule::options()) all.push_back(option);
    return all;
}

std::unique_ptr<Integrator> Decoupled::make_symplectic(const Options& o)
{
    return std::make_unique<Decoupled>(Dirk::tableau(o), AlphaRule::always_one());
}

std::unique_ptr<Integrator> Decoupled::make_alpha(const Options& o)
{
    return std::make_unique<Decoupled>(Dirk::tableau(o), AlphaRule::search(o));
}

} // namespace rubato
