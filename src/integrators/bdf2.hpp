#pragma once

#include "integrators/last_step.hpp"

#include <numbers>

namespace rubato {

/// The two-step backward differentiation formula, with variable steps.
class Bdf2 final : public RememberingIntegrator {
public:
    Bdf2() { remember({&old_}); }

    StepOutcome step(const StepRequest& request, State& next) override;
    double most_growth() const override { return 1 + std::numbers::sqrt2; }

private:
    LastStep old_;
    Stage stage_;
    Vector v_bar_, y_; // work
};

} // namespace rubato
