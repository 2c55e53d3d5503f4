#include "integrators/a_search.hpp"

namespace rubato {

std::vector<OptionSpec> ASearch::options()
{
    std::vector<OptionSpec> all = AlphaRule::options();
    all.push_back(ExactGravity::option());
    return all;
}

std::vector<OptionSpec> ASearch::a_1_options()
{
    return {ExactGravity::option(),
        {.name = "damped_start",
            .type = OptionType::flag,
            .fallback = false,
            .summary = "the first step is implicit Euler's: for bodies that are let go from a deformed state"}};
}

/// 000 sec. 4.1 and Alg. 1. The implicit Euler step gives x' and w (eq. 9, 10; with dissipation, sec. 4.5), then
///
///     dv = h M^-1 (grad P(x) - grad P(x'))          conservative forces only
///     v' = w - alpha dv                             (eq. 13)
///
/// with alpha = 1, or the root nearer to 1 of H(x', w - alpha dv) = target, cut to [alpha_min, alpha_max]
/// (A-search). First order for every bounded alpha. On an oscillator det = 1 + (alpha - 1) k/(1 + k), k = (h omega)^2,
/// so alpha = 1 is symplectic there and stable at every step.
///
/// Both forces are those of the solves that ended at x and x' (solved_acceleration.hpp): what a solve leaves unbalanced
/// must not become velocity.
///
/// A body let go at rest gets the whole force of its first position, -h grad P(x): a mode of energy e ends the step
/// with (h omega)^2 e. A damped start takes alpha = 0 there.
///
/// Dissipated: grad D(w) . h (w_old + w)/2, w_old that of the step before (impulse_loss.hpp), which is taken off the
/// target of this step: the n of E_n and the n + 1 of the losses in Alg. 1 meet in the state that they speak of.
///
/// With exact gravity the energy is that of v' as it is read, and the reading depends a little on alpha: alpha is found
/// again for the reading that belongs to it.
StepOutcome ASearch::step(const StepRequest& r, State& next)
{
    StepOutcome outcome = implicit_euler_.inner_step(r.now.x, r, next);
    if (outcome.status != StepStatus::ok) return outcome;

    w_ = next.v;
    outcome.dissipated = r.dynamics.dissipated(w_, loss_.way(r.h, w_));
    implicit_euler_.solved_acceleration(r, a_.at_end());
    dv_ = r.h * (a_.at_end() - a_.at_start(r));
    a_.remember(r);

    outcome.alpha = damped_start_ && !a_.known() ? 0 : 1;
    const int searches = !rule_.searches() ? 0 : implicit_euler_.reads_later() ? 3 : 1;
    for (int n = 0; n < searches; ++n) {
        correct(r, outcome.alpha, next);
        read_ = w_ + shift_;
        outcome.alpha = rule_.found(r, read_, dv_, outcome.dissipated, next);
    }
    correct(r, outcome.alpha, next);
    if (!next.v.allFinite()) outcome.status = StepStatus::not_finite;
    return outcome;
}

/// next.v = w - alpha dv, read later by shift.
void ASearch::correct(const StepRequest& r, double alpha, State& next)
{
    next.v = w_ - alpha * dv_;
    shift_ = next.v;
    implicit_euler_.read_later(r, next);
    shift_ = next.v - shift_;
}

} // namespace rubato
