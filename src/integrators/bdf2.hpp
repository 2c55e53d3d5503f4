#pragma once

#include "dynamics/integrator.hpp"

#include <numbers>

namespace rubato {

/// The two-step backward differentiation formula, with variable steps.
class Bdf2 final : public Integrator {
public:
    StepOutcome step(const StepRequest& request, State& next) override;
    void accept(const State& before, const State& after) override;
    void jumped(const Vector& dv, const Vector& da) override;
    void restart() override { h_old_ = 0; }
    double most_growth() const override { return 1 + std::numbers::sqrt2; }
    void serialize(Archive& archive) override;

private:
    State old_; // history: the state one step before the current one; t is not used
    double h_old_ = 0; // history: length of the last accepted step [s]; 0 before the first
    double h_pending_ = 0; // becomes h_old_ when the step is accepted

    Stage stage_;
    Vector v_bar_, y_; // work
};

} // namespace rubato
