#pragma once

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
class SolvedAcceleration final : public RememberedVector {
public:
    SolvedAcceleration()
        : RememberedVector("solved.known", "solved.a", Kind::acceleration)
    {
    }

    /// At r.now; from the forces where nothing was solved before.
    const Vector& at_start(const StepRequest& r)
    {
        if (known()) {
            start_ = value(); // without forces that may jump
            r.dynamics.add_jumping_acceleration(r.now.t, 1, start_);
        } else {
            r.dynamics.conservative_acceleration(r.now.t, r.now.x, start_);
        }
        return start_;
    }

    /// At the end of the proposed step, for which the method writes it.
    Vector& at_end() { return end_; }

    /// The end of the step is a stage solution, so at_end() is what the next one starts with. Forces that jump from
    /// step to step belong to this one.
    void remember(const StepRequest& r)
    {
        Vector& a = next();
        a = end_;
        r.dynamics.add_jumping_acceleration(r.now.t + r.h, -1, a);
    }

private:
    Vector start_, end_; // of this step [m/s^2]
};

} // namespace rubato
