#include "base/errors.hpp"
#include "simulation/simulation.hpp"

namespace rubato {

/// With P the energy before the change and Q that after it, both at the place of now:
///
///     injected += Q(x) - P(x), and the target with it           da = -M^-1 (grad Q(x) - grad P(x))
///
/// A method that remembers forces hears of da, not of the forces: what it remembers is that of its solves, without the
/// noise that evaluating them again would bring (docs/decisions/0011).
Changed Simulation::change(const Edit& edit)
{
    if (!set_parameter_) throw InputError(Mistake{.key = edit.path, .message = "nothing can be changed here"});

    dynamics_.conservative_acceleration(now_.t, now_.x, a_before_);
    const double before = set_parameter_(edit);
    const Measures changed = measures(now_);
    if (!changed.finite()) {
        set_parameter_({edit.path, before});
        throw InputError(Mistake{.key = edit.path, .message = "the energy would be infinite or not a number"});
    }
    dynamics_.conservative_acceleration(now_.t, now_.x, jump_of_forces_);
    jump_of_forces_ -= a_before_;

    const double injected = changed.potential.total() - now_measures_.potential.total();
    ledger_.book(now_.t, now_.t, injected, 0);
    now_measures_ = changed;
    integrator_.jumped({}, jump_of_forces_);
    journal_.add({.step = step_, .edit = edit, .before = before});
    half_left_ = {};
    return {.before = before, .injected = injected};
}

} // namespace rubato
