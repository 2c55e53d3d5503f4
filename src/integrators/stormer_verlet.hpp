#pragma once

#include "dynamics/integrator.hpp"

namespace rubato {

/// Kick, drift, kick. Second order, symplectic, time-reversible, explicit.
class StormerVerlet final : public Integrator {
public:
    StepOutcome step(const StepRequest& request, State& next) override;

private:
    State predicted_; // work
    Vector a_, a_next_, dx_;
};

} // namespace rubato
