#include "integrators/newmark.hpp"

#include "integrators/end_point.hpp"

namespace rubato {

/// x' = x + h v + h^2 ((1/2 - beta) a + beta a')          a' = a(t + h, x', v')
/// v' = v + h ((1 - gamma) a + gamma a')
///
/// Eliminating a' gives the stage, solved at y = x':
///
///     x_tilde  = x + h v + h^2 (1/2 - beta) a              s = beta h^2
///     x_anchor = x_tilde - tau (v + h (1 - gamma) a)       tau = beta h/gamma         v' = (y - x_anchor)/tau
///
/// Order two at gamma = 1/2, else one. Unconditionally stable for 2 beta >= gamma >= 1/2; above gamma = 1/2 high
/// frequencies lose energy. a' = (v' - v)/(gamma h) - (1 - gamma)/gamma a is exact whatever h the next step has, so a
/// change of step keeps the order. Forces in time that may jump are no part of the history: a has them as this step
/// feels them. Where unknowns are prescribed, v and v' are the script's and a' stays bounded.
///
/// Dissipated: the forces that act, (1 - gamma) d + gamma grad D(v'), along x' - x, d the damping force in a: that of
/// the solve before, whose damping was lagged one step earlier. It is history, too. For the trapezoidal rule this
/// balances the energy of linear systems exactly, at every step. For others the energy that decreases is H + (beta -
/// gamma/2) h^2/2 |a|^2_M, which can be far above H; then the balance limits what is booked.
StepOutcome Newmark::step(const StepRequest& r, State& next)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h;
    const double tau = beta_ * h / gamma_;
    if (a_.known()) {
        a_start_ = a_.value();
        r.dynamics.add_jumping_acceleration(t, 1, a_start_);
    } else {
        r.dynamics.acceleration(t, x, v, a_start_);
        r.dynamics.dissipative_force(v, loss_start_);
    }

    stage_.x_tilde = x + h * v + (h * h * (0.5 - beta_)) * a_start_;
    stage_.x_anchor = stage_.x_tilde - tau * (v + (h * (1 - gamma_)) * a_start_);
    stage_.tau = tau;
    stage_.scale = beta_ * h * h;
    stage_.t = t + h;
    const SolveReport solve = r.dynamics.solve(stage_, x, y_);
    if (!solve.ok()) return unsolved(solve);

    next.t = t + h;
    next.x = y_;
    next.v = (y_ - stage_.x_anchor) / tau;
    r.dynamics.prescribe(next);
    Vector& a_next = a_.next();
    a_next = (next.v - v) / (gamma_ * h) - ((1 - gamma_) / gamma_) * a_start_;
    r.dynamics.add_jumping_acceleration(next.t, -1, a_next);

    dx_ = next.x - x;
    Vector& loss_next = loss_.next();
    r.dynamics.dissipative_force(next.v, loss_next);
    y_ = (1 - gamma_) * (a_.known() ? loss_.value() : loss_start_) + gamma_ * loss_next;
    const Dissipated dissipated = r.dynamics.dissipated_by(y_, dx_);
    return at_stage_solution(r.dynamics, next, solve, dissipated);
}

std::vector<OptionSpec> Newmark::options()
{
    const NewmarkOptions fallback;
    return {
        {.name = "beta",
            .fallback = fallback.beta,
            .summary = "weight of the new acceleration in the position",
            .least = 0,
            .most = 1,
            .least_open = true},
        {.name = "gamma",
            .fallback = fallback.gamma,
            .summary = "weight of the new acceleration in the velocity",
            .least = 0,
            .most = 1,
            .least_open = true},
    };
}

std::unique_ptr<Integrator> Newmark::make(const Options& o)
{
    return std::make_unique<Newmark>(NewmarkOptions{.beta = o.real("beta"), .gamma = o.real("gamma")});
}

int Newmark::order(const Options& o) { return o.real("gamma") == 0.5 ? 2 : 1; }

} // namespace rubato
