#pragma once

#include "dynamics/integrator.hpp"

namespace rubato {

/// The new velocity from old forces, the new position from the new velocity. First order, symplectic, explicit.
class SymplecticEuler final : public Integrator {
public:
    StepOutcome step(const StepRequest& request, State& next) override;

private:
    Vector a_, dx_; // work
};

} // namespace rubato
