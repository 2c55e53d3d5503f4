#pragma once

#include "dynamics/integrator.hpp"

namespace rubato {

/// Forces from the end of the step. First order, L-stable, loses energy.
class ImplicitEuler final : public Integrator {
public:
    StepOutcome step(const StepRequest& request, State& next) override;

private:
    Stage stage_;
    Vector y_, dx_; // work
};

} // namespace rubato
