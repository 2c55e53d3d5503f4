#pragma once

#include "dynamics/integrator.hpp"

namespace rubato {

/// Everything from the start of the step. First order; unstable on every undamped oscillation: for comparison only.
class ForwardEuler final : public Integrator {
public:
    StepOutcome step(const StepRequest& request, State& next) override;

private:
    Vector a_, dx_; // work
};

} // namespace rubato
