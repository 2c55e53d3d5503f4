#pragma once

#include "dynamics/report.hpp"
#include "dynamics/state.hpp"

namespace rubato {

/// What a controller wants to know of the error of an attempt.
enum class Estimate {
    none,
    energy, ///< how far the total energy is from its target [J]
    doubling, ///< how far a step and two halves of it end from each other, largest distance of a node [m]; the halves
              ///< are what is accepted
};

/// An attempted step, as a controller sees it.
struct Attempted {
    double h; ///< its length [s]
    double wanted; ///< what it would have been but for times that are hit and the end of the run [s]
    const State& now; ///< where it starts
    const State* proposed; ///< where it ends; null: it failed
    const StepOutcome& outcome;
    double error; ///< what `wants` asked for; not a number if nothing, or if the attempt failed
    int order; ///< of accuracy of the method
    double total; ///< energy of `proposed` [J], or else of `now`
    double target; ///< what that should be [J]
    double most_growth; ///< how many times h the next step may be before the method gives up its history
};

/// What a controller says about an attempted step.
struct Decision {
    bool accept = false;
    double next_h = 0; ///< length of the next attempt [s]; 0 when not accepted: nothing is left to try
};

/// Chooses step lengths. After an attempt: is it accepted, and how long is the next one? What estimates the error and
/// what law follows from it are two things: a law takes any estimate.
class StepController {
public:
    virtual ~StepController() = default;
    virtual double first_h() const = 0; ///< [s]
    virtual Estimate wants() const { return Estimate::none; } ///< the same in every step
    virtual Decision judge(const Attempted& attempted) = 0;
    virtual void serialize(Archive& /*archive*/) { }
};

} // namespace rubato
