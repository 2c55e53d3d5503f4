#pragma once

#include "dynamics/integrator.hpp"

namespace rubato {

/// Forces from the end of the step. First order, L-stable, loses energy.
class ImplicitEuler final : public Integrator {
public:
    StepOutcome step(const StepRequest& request, State& next) override
    {
        return step_from(request.now.x, request, next);
    }
    /// The same step, but the solve starts at an admissible point that may be nearer to its end.
    StepOutcome step_from(const Vector& start, const StepRequest& request, State& next);

private:
    Stage stage_;
    Vector y_, dx_; // work
};

} // namespace rubato
