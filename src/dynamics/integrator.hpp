#pragma once

#include "dynamics/dynamics.hpp"
#include "dynamics/energy_ledger.hpp"
#include "dynamics/reading.hpp"

#include <limits>

namespace rubato {

/// What an integrator is given for one attempt.
struct StepRequest {
    Dynamics& dynamics;
    const State& now;
    double h; ///< step length [s]
    const EnergyLedger& ledger; ///< what the total energy should be
    /// How velocities are read, for methods that measure the energy of what they propose; null: as they are.
    Reading* reading = nullptr;
    const State* read_now = nullptr; ///< `now` with the velocity that was read; null with `reading`

    /// Where the step starts as the rest of the program sees it: work on the way is measured from there.
    const State& seen_now() const { return read_now != nullptr ? *read_now : now; }
};

/// A rule for moving a State forward. It proposes; the simulation decides. `step` may use members as work space, but
/// whatever later steps depend on (history) moves only in `accept`, so that a rejected attempt leaves no trace.
///
/// Work vectors are members, so that a step allocates nothing once they are sized.
class Integrator {
public:
    virtual ~Integrator() = default;

    /// Proposes the state at now.t + h.
    virtual StepOutcome step(const StepRequest& request, State& next) = 0;

    /// The step from `before` to `after` that was proposed last has been accepted; velocity filters have acted on
    /// `after`, and `jumped` will say what they did.
    virtual void accept(const State& /*before*/, const State& /*after*/) { }

    /// Velocities were changed by dv [m/s] after the step that was accepted last, and the forces at its end by da as
    /// accelerations [m/s^2]: a velocity filter, a parameter that changed, a bond that broke. What is remembered is to
    /// be of the state as it is now. Either may be empty: nothing changed.
    virtual void jumped(const Vector& /*dv*/, const Vector& /*da*/) { }

    /// The unknowns are others than in the last step: nothing that is remembered holds any more.
    virtual void restart() { }

    /// How much longer than the last step the next one may be before the method gives up its history.
    virtual double most_growth() const { return std::numeric_limits<double>::infinity(); }

    /// Saves or restores history. Methods without history have nothing to say.
    virtual void serialize(Archive& /*archive*/) { }
};

} // namespace rubato
