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
        if (a_.known()) {
            start_ = a_.value();
            r.dynamics.add_jumping_acceleration(r.now.t, 1, start_);
        } else {
            r.dynamics.conservative_acceleration(r.now.t, r.now.x, start_);
        }
        return start_;
    }
    /// At the end of the proposed step, for which the method writes it.
    Vector& at_end() { return end_; }

    /// What of at_end() is remembered: forces that jump from step to step belong to this one.
    void remember(const StepRequest& r)
    {
        a_.next() = end_;
        r.dynamics.add_jumping_acceleration(r.now.t + r.h, -1, a_.next());
    }

    /// The proposed step was accepted; `solved`: at_end() was written and remembered.
    void accept(bool solved = true) { a_.accept(solved); }
    void jumped(const Vector& da) { a_.jumped(da); }
    void restart() { a_.forget(); }
    void serialize(Archive& archive) { a_.serialize(archive); }

private:
    RememberedVector a_{"solved", "a", "acceleration"}; // [m/s^2], without forces that may jump
    Vector start_, end_; // of this step [m/s^2]
};

} // namespace rubato
