#pragma once

#include "dynamics/report.hpp"
#include "dynamics/state.hpp"

namespace rubato {

/// What a controller says about an attempted step.
struct Decision {
    bool accept = false;
    double next_h = 0; ///< length of the next attempt [s]; 0 when not accepted: nothing is left to try
};

/// Chooses step lengths. After an attempt of length h: is it accepted, and how long is the next one?
class StepController {
public:
    virtual ~StepController() = default;
    virtual double first_h() const = 0; ///< [s]
    virtual Decision judge(const State& now, const State& proposed, double h, const StepOutcome& outcome) = 0;
    virtual void serialize(Archive& /*archive*/) { }
};

} // namespace rubato
