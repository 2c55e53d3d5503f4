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

    /// Conservative acceleration at the end of the last step, as its solve left it [m/s^2].
    void solved_acceleration(const StepRequest& request, Vector& a);

private:
    Stage stage_;
    Vector y_, w_, dx_; // work
};

} // namespace rubato
