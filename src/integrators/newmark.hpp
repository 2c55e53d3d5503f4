#pragma once

#include "base/options.hpp"
#include "integrators/remembered_vector.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// Parameters of Newmark's family. (1/4, 1/2) is the trapezoidal rule.
struct NewmarkOptions {
    double beta = 0.25; ///< > 0
    double gamma = 0.5; ///< > 0; order two at 1/2, artificial damping above, negative damping below
};

/// Newmark's method: the acceleration is carried along as history.
class Newmark final : public RememberingIntegrator {
public:
    explicit Newmark(const NewmarkOptions& options = {})
        : beta_(options.beta)
        , gamma_(options.gamma)
    {
        remember({&a_, &loss_});
    }
    static std::vector<OptionSpec> options();
    static std::unique_ptr<Integrator> make(const Options& options);
    static int order(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override;

private:
    double beta_, gamma_;

    // Where the step starts, as the step before left it: the acceleration without forces that may jump [m/s^2], and the
    // force of dissipations in it [N]. Of a velocity that was filtered since it is the one before: that is left to the
    // next solve, and off by O(h) of one step.
    RememberedVector a_{"newmark.started", "newmark.a", RememberedVector::Kind::acceleration};
    RememberedVector loss_{a_, "newmark.loss", RememberedVector::Kind::force};

    Stage stage_;
    Vector a_start_, loss_start_, y_, dx_; // work
};

} // namespace rubato
