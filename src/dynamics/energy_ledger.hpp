#pragma once

#include "base/archive.hpp"

namespace rubato {

/// What came into the system on purpose and what was taken out on purpose, since the start of the run [J].
/// It moves only when a step is accepted.
struct EnergyLedger {
    double initial = 0; ///< total energy at the start
    double injected = 0; ///< by scripts, moving attachments and time-dependent forces
    double dissipated = 0; ///< by drag, damping and friction

    void book(double injected_now, double dissipated_now)
    {
        injected += injected_now;
        dissipated += dissipated_now;
    }
    /// What the total energy would be if the integrator neither created nor destroyed any.
    double balance() const { return initial + injected - dissipated; }

    void serialize(Archive& archive)
    {
        archive("initial", initial);
        archive("injected", injected);
        archive("dissipated", dissipated);
    }
};

} // namespace rubato
