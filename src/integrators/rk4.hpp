#pragma once

#include "dynamics/integrator.hpp"

namespace rubato {

/// The classical Runge-Kutta method. Fourth order, explicit.
class Rk4 final : public Integrator {
public:
    StepOutcome step(const StepRequest& request, State& next) override;

private:
    Vector A_[4]; // accelerations of the stages
    State stage_[4];
    Vector last_loss_, undamped_, impulse_; // work
};

} // namespace rubato
