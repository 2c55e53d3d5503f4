#pragma once

#include "dynamics/integrator.hpp"

namespace rubato {

/// The end of a step by one method, or by a blend of two.
struct StepEnd {
    State state;
    Dissipated dissipated;
    double error = 0; ///< total energy less target [J]; +infinity where one may not be

    /// Takes over what a method says of `state`, puts scripted unknowns into place and measures the energy.
    void measure(const StepRequest& r, const StepOutcome& outcome);
};

/// Looks for the blend of two ends that has the energy of the target, by bisection (001 eq. 21, 22).
///
/// A point that one may not go to counts as one of infinite energy, so that the blend moves on toward the method that
/// was solved for; so does one next to it, where missing energy would be found in a barrier, at a gap or a volume of
/// next to nothing, and the following step would meet forces to match.
class BlendSearch {
public:
    /// Writes `blended` and returns the share of `losing`, the end that has too little energy. `from`: a point known to
    /// be good; `allowed`: error that is near enough [J].
    double between(const StepRequest& r, const Vector& from, const StepEnd& gaining, const StepEnd& losing,
        double allowed, StepEnd& blended);

private:
    State beyond_; // work
};

} // namespace rubato
