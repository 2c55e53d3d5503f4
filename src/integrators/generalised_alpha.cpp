#include "integrators/generalised_alpha.hpp"

#include "integrators/end_point.hpp"

#include <algorithm>

namespace rubato {

/// Newmark's formulas, with a balance of mixed times (J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993) 371-375):
///
///     x' = x + h v + h^2 ((1/2 - beta) a + beta a')          v' = v + h ((1 - gamma) a + gamma a')
///     (1 - alpha_m) a' + alpha_m a = a(t + c h, y, u)        c = 1 - alpha_f
///     y = x + c (x' - x)                                     u = v + c (v' - v)
///
///     alpha_m = (2 rho - 1)/(rho + 1)     gamma = 1/2 - alpha_m + alpha_f
///     alpha_f = rho/(rho + 1)             beta = (1 - alpha_m + alpha_f)^2/4         rho = rho_inf
///
/// y and u are linear in a'. From one of them a' = ((y - x)/c - h v - h^2 (1/2 - beta) a)/(beta h^2); put into the
/// other two lines this gives the stage, solved at y:
///
///     x_tilde  = x + c h v + c h^2 (1/2 - beta/(1 - alpha_m)) a          s = c beta h^2/(1 - alpha_m)
///     x_anchor = x + (c h - tau) v + c h^2 (1/2 - beta/gamma) a          tau = beta h/gamma
///
///     u = (y - x_anchor)/tau          x' = x + (y - x)/c
///     v' = v + (u - v)/c              a' = (v' - v)/(gamma h) - (1 - gamma)/gamma a
///
/// At rho = 1 the weight of a in x_tilde and in x_anchor is zero and c = 1/2: the implicit midpoint rule.
///
/// Second order, unconditionally stable on linear systems. (y - x_tilde)/s, or x' - x, give the same a' to round-off;
/// the forces at y do not: they magnify what the solver and the last digit of y left by (h omega)^2.
///
/// First step: a is unknown. With a = a' in all formulas it is of second order, too; this is alpha_m = 0, beta = 1/2,
/// gamma = 1 with zero for a. The forces of the start in place of a hold damping that velocities have not felt yet: at
/// h omega = 1 and h times rate = 1000 they multiply the energy by 27 (rho = 0.8) to 60,000 (rho = 0).
///
/// Change of step: the balance makes a the acceleration at t + (alpha_m - alpha_f) h, h the last step. gamma makes up
/// for this delay if the next step is as long; otherwise a is moved to the delay of the new step along the line through
/// the a of both ends, but no further than for a step of twice the length. This keeps order two. Forces in time that
/// may jump are no part of the history: a has them as this step feels them, at the delayed time along the line through
/// both ends of the step, since the time itself may be in another step.
///
/// The solver has checked y, not x': the way from y to x' is asked for.
/// Dissipated: the forces that act, (1 - gamma) d + gamma d', along x' - x, where (1 - alpha_m) d' + alpha_m d =
/// grad D(u). d is history, as delayed as a. At rho = 1 this is grad D(u) . (x' - x), what a linear system loses. The
/// method can make energy where damping and stiffness are both stiff; then the balance limits what is booked.
StepOutcome GeneralisedAlpha::step(const StepRequest& r, State& next)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h, c = share_;
    continue_trail(r);
    a_start_ = trail_next_.a_before;
    if (known_) {
        r.dynamics.add_jumping_acceleration(t, 1 - delay_, a_start_);
        r.dynamics.add_jumping_acceleration(t + h, delay_, a_start_);
    }
    const auto [alpha_m, beta, gamma] = known_ ? coefficients_ : Coefficients{.alpha_m = 0, .beta = 0.5, .gamma = 1};
    const double tau = beta * h / gamma;

    stage_.x_tilde = x + (c * h) * v + (c * h * h * (0.5 - beta / (1 - alpha_m))) * a_start_;
    stage_.x_anchor = x + (c * h - tau) * v + (c * h * h * (0.5 - beta / gamma)) * a_start_;
    stage_.tau = tau;
    stage_.scale = c * beta * h * h / (1 - alpha_m);
    stage_.t = t + c * h;
    auto& [t_solved, y, u] = solved_;
    const SolveReport solve = r.dynamics.solve(stage_, x, y);
    if (!solve.ok()) return unsolved(solve);

    t_solved = stage_.t;
    u = (y - stage_.x_anchor) / tau;
    next.t = t + h;
    next.x = x + (y - x) / c;
    next.v = v + (u - v) / c;
    r.dynamics.prescribe(solved_); // dissipations saw the script's velocities in the stage, too
    r.dynamics.prescribe(next);
    Trail& trail = trail_next_;
    trail.h = h;
    trail.a = (next.v - v) / (gamma * h) - ((1 - gamma) / gamma) * a_start_;
    r.dynamics.add_jumping_acceleration(next.t + delay_ * h, -1, trail.a);

    r.dynamics.dissipative_force(u, loss_);
    trail.loss = (loss_ - alpha_m * trail.loss_before) / (1 - alpha_m);
    loss_ = (1 - gamma) * trail.loss_before + gamma * trail.loss;
    dx_ = next.x - x;
    if (!known_) { // one acceleration makes no line to move it along
        trail.a_before = trail.a;
        trail.loss_before = trail.loss;
    }
    return at_computed_point(r.dynamics, y, next, solve, r.dynamics.dissipated_by(loss_, dx_));
}

void GeneralisedAlpha::continue_trail(const StepRequest& r)
{
    if (!known_) {
        trail_next_.a_before.setZero(r.dynamics.unknowns());
        trail_next_.loss_before.setZero(r.dynamics.unknowns());
        return;
    }
    constexpr double most_growth_followed = 2; // beyond it, repeated, changes of step would feed high frequencies
    const double further = delay_ * (std::min(r.h / trail_.h, most_growth_followed) - 1);
    trail_next_.a_before = trail_.a + further * (trail_.a - trail_.a_before);
    trail_next_.loss_before = trail_.loss + further * (trail_.loss - trail_.loss_before);
}

GeneralisedAlpha::GeneralisedAlpha(double rho_inf)
{
    const double alpha_m = (2 * rho_inf - 1) / (rho_inf + 1), alpha_f = rho_inf / (rho_inf + 1);
    share_ = 1 - alpha_f;
    delay_ = alpha_m - alpha_f;
    coefficients_ = {.alpha_m = alpha_m, .beta = 0.25 * (1 - delay_) * (1 - delay_), .gamma = 0.5 - delay_};
}

std::vector<OptionSpec> GeneralisedAlpha::options()
{
    return {
        {.name = "rho_inf",
            .fallback = 0.8,
            .summary = "what a step leaves of vibrations of infinite frequency; 1 damps nothing",
            .least = 0,
            .most = 1},
    };
}

std::unique_ptr<Integrator> GeneralisedAlpha::make(const Options& o)
{
    return std::make_unique<GeneralisedAlpha>(o.real("rho_inf"));
}

void GeneralisedAlpha::accept(const State&, const State&)
{
    std::swap(trail_, trail_next_);
    known_ = true;
}

void GeneralisedAlpha::jumped(const Vector& /*dv*/, const Vector& da)
{
    if (!known_ || da.size() == 0) return;
    trail_.a += da;
    trail_.a_before += da;
}

void GeneralisedAlpha::serialize(Archive& archive)
{
    archive("generalised-alpha.known", known_);
    archive("generalised-alpha.h", trail_.h);
    archive("generalised-alpha.a", trail_.a);
    archive("generalised-alpha.a_before", trail_.a_before);
    archive("generalised-alpha.loss", trail_.loss);
    archive("generalised-alpha.loss_before", trail_.loss_before);
    // The archive knows the size of the system; a history without the vectors it speaks of is left to check here.
    if (!archive.loading() || !known_) return;
    for (const Vector* part : {&trail_.a, &trail_.a_before, &trail_.loss, &trail_.loss_before}) {
        if (part->size() == 0) throw Archive::Mismatch("holds a generalised-alpha history without its vectors");
    }
    if (!(trail_.h > 0)) throw Archive::Mismatch("holds a generalised-alpha history without its step");
}

} // namespace rubato
