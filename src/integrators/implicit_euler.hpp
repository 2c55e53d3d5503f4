#pragma once

#include "dynamics/integrator.hpp"
#include "integrators/exact_gravity.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// Forces from the end of the step. First order, L-stable, loses energy.
class ImplicitEuler final : public Integrator {
public:
    explicit ImplicitEuler(bool exact_gravity = false)
        : gravity_(exact_gravity)
    {
    }
    static std::vector<OptionSpec> options() { return {ExactGravity::option()}; }
    static std::unique_ptr<Integrator> make(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override
    {
        return step_from(request.now.x, request, next);
    }
    /// The same step, but the solve starts at an admissible point that may be nearer to its end.
    StepOutcome step_from(const Vector& start, const StepRequest& request, State& next);

    /// For methods that correct the velocity of the step before it is read and book its losses by themselves: the step
    /// as it is without exact gravity, with nothing booked, and the reading. Neither differs from the whole where the
    /// option is off.
    StepOutcome inner_step(const Vector& start, const StepRequest& request, State& next);
    void read_later(const StepRequest& request, State& next) { gravity_.read_later(request, a_, next); }
    bool reads_later() const { return gravity_.on(); }

    /// Conservative acceleration at the end of the last step, as its solve left it [m/s^2].
    void solved_acceleration(const StepRequest& request, Vector& a);

private:
    ExactGravity gravity_;
    Stage stage_;
    Vector y_, w_, dx_, a_; // work
};

} // namespace rubato
