#pragma once

#include "base/archive.hpp"
#include "dynamics/energy_target.hpp"
#include "dynamics/report.hpp"

#include <algorithm>

namespace rubato {

/// What came into the system on purpose and what was taken out on purpose since the start of the run, and what the
/// total energy should be now [J]. It moves only when a step is accepted; every method that controls energy aims at it.
struct EnergyLedger {
    double initial = 0; ///< total energy at the start
    double injected = 0; ///< by scripts, moving attachments and time-dependent forces
    double dissipated = 0; ///< by drag, damping and friction
    double target = 0; ///< what the total energy should be now
    const EnergyTarget* rule = nullptr; ///< null: the target is the balance, all energy is kept

    /// The ledger of a run that starts with the total energy H_0 [J].
    static EnergyLedger opened(double H_0, const EnergyTarget* rule = nullptr)
    {
        return {.initial = H_0, .target = rule != nullptr ? rule->first(H_0) : H_0, .rule = rule};
    }

    /// What the total energy would be if the integrator neither created nor destroyed any.
    double balance() const { return initial + injected - dissipated; }

    /// What can be booked of a step that by the quadrature of its method dissipates `now`, and injects this much [J].
    ///
    /// What dissipations take must have been there: they do not take the balance after the step (or the target, where
    /// it is higher) below the potential energy at its end [J]; where it is below already, nothing is booked. Without
    /// scripts, summed over a run: no more than the start had above the lowest potential energy. And they heat: what
    /// the free unknowns lose is at least what scripts gain by them, and scripts gain no more than that.
    /// docs/decisions/0020.
    Dissipated bookable(const Dissipated& now, double injected_now, double potential_after) const
    {
        const double most = std::max(balance(), target) + injected_now - potential_after;
        const double free = std::min(std::max(now.free, -now.driven), std::max(most, 0.0));
        return {free, std::max(now.driven, -free)};
    }

    /// The target at the end of a step from t to t_next that injects and dissipates this much [J].
    double target_after(double t, double t_next, double injected_now, double dissipated_now) const
    {
        const double gained = injected_now - dissipated_now;
        return rule != nullptr ? rule->next(target, t, t_next, gained) : target + gained;
    }
    /// That step was accepted.
    void book(double t, double t_next, double injected_now, double dissipated_now)
    {
        target = target_after(t, t_next, injected_now, dissipated_now);
        injected += injected_now;
        dissipated += dissipated_now;
    }

    void serialize(Archive& archive)
    {
        archive("initial", initial);
        archive("injected", injected);
        archive("dissipated", dissipated);
        archive("target", target);
    }
};

} // namespace rubato
