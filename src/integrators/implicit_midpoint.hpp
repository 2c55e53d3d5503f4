#pragma once

#include "dynamics/integrator.hpp"

namespace rubato {

/// Forces from the middle of the step. Second order, symplectic, keeps linear and angular momentum.
class ImplicitMidpoint final : public Integrator {
public:
    StepOutcome step(const StepRequest& request, State& next) override;
    const Vector& middle() const { return middle_.x; } ///< y of the last step: a stage solution, admissible

private:
    Stage stage_;
    State middle_; // y and u
    Vector dx_; // work
};

} // namespace rubato
