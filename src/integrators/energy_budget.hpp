#pragma once

#include "integrators/implicit_midpoint.hpp"

namespace rubato {

/// The midpoint rule, then velocities scaled to the energy target.
class EnergyBudget final : public Integrator {
public:
    StepOutcome step(const StepRequest& request, State& next) override;

private:
    ImplicitMidpoint midpoint_;
    Vector v_; // work
};

} // namespace rubato
