#pragma once

#include "dynamics/integrator.hpp"
#include "integrators/remembered_vector.hpp"

namespace rubato {

/// Conservative acceleration a(x) = -M^-1 grad P(x) where a step starts, as the solve of the step before left it.
///
/// A stage solution y balances (y - x_tilde)/s = a(y) - M^-1 grad D(u) but for a residual r that the solver left. A
/// Newton step of size e was neglected, so the left side is off by no more than e/s, while a(y) computed from the
/// forces is off by M^-1 H e/s: larger by (h omega)^2 of the stiffest element or contact, a factor of thousands.
/// Methods whose velocity holds a force at the start of the step would turn this into a noise of velocities that grows
/// with stiffness: a ball that bounces under them ends up shivering instead. So they take the left side, which is
/// history.
class SolvedAcceleration {
public:
    /// At r.now; from the forces where nothing was solved before.
    const Vector& at_start(const StepRequest& r)
    {
        if (!a_.known()) r.dynamics.conservative_acceleration(r.now.t, r.now.x, a_.value());
        return a_.value();
    }
    bool known() const { return a_.known(); } ///< false in a first step

    /// At the end of the proposed step, for which the method writes it.
    Vector& at_end() { return a_.next(); }
    const Vector& at_end() const { return a_.next(); }

    /// The proposed step was accepted; `solved`: at_end() was written.
    void accept(bool solved = true) { a_.accept(solved); }
    void serialize(Archive& archive) { a_.serialize(archive); }

private:
    RememberedVector a_{"solved", "a", "acceleration"}; // [m/s^2]
};

} // namespace rubato
