#include "integrators/a_search.hpp"

#include "integrators/read_later.hpp"

namespace rubato {

std::vector<OptionSpec> ASearch::options()
{
    std::vector<OptionSpec> all = AlphaRule::options();
    all.push_back(ReadLater::exact_gravity_option());
    return all;
}

std::vector<OptionSpec> ASearch::a_1_options()
{
    return {ReadLater::exact_gravity_option(),
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
/// Where v' is read otherwise than it is stepped, the energy is that of v' as it is read, and the reading depends a
/// little on alpha: alpha is found again for the reading that belongs to it.
StepOutcome ASearch::step(const StepRequest& r, State& next)
{
    StepOutcome outcome = implicit_euler_.step(r, next);
    if (outcome.status != StepStatus::ok) return outcome;

    w_ = next.v;
    outcome.dissipated = r.dynamics.dissipated(w_, loss_.way(r.h, w_));
    implicit_euler_.solved_acceleration(r, a_.at_end());
    dv_ = r.h * (a_.at_end() - a_.at_start(r));
    a_.remember(r);

    outcome.alpha = start_.now() ? 0 : 1;
    const int searches = !rule_.searches() ? 0 : r.reading != nullptr ? 3 : 1;
    for (int n = 0; n < searches; ++n) {
        outcome.alpha = rule_.found(r, as_read(r, outcome.alpha, next), dv_, outcome.dissipated, next);
    }
    next.v = w_ - outcome.alpha * dv_;
    if (!r.dynamics.finite(next.v)) outcome.status = StepStatus::not_finite;
    return outcome;
}

/// w by as much later as v' = w - alpha dv is read.
const Vector& ASearch::as_read(const StepRequest& r, double alpha, State& next)
{
    if (r.reading == nullptr) return w_;
    next.v = w_ - alpha * dv_;
    read_ = next.v;
    r.reading->read(r, next);
    read_ = next.v - read_;
    read_ = w_ + read_;
    return read_;
}

} // namespace rubato
