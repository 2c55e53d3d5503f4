#pragma once

#include "integrators/alpha_rule.hpp"
#include "integrators/implicit_euler.hpp"
#include "integrators/impulse_loss.hpp"
#include "integrators/solved_acceleration.hpp"

#include <memory>

namespace rubato {

/// Whether the first step of a run is implicit Euler's. A method that is restarted is not at the start of a run.
class DampedStart final : public Remembered {
public:
    explicit DampedStart(bool on)
        : on_(on)
    {
    }
    bool now() const { return on_ && !over_; }
    void accept(const State&) override { over_ = true; }
    void restart() override { }
    void serialize(Archive& archive) override
    {
        if (on_) archive("a-1.started", over_);
    }

private:
    bool on_, over_ = false;
};

/// Implicit Euler whose velocity is corrected by a multiple alpha of the force difference over the step: A-1 with
/// alpha = 1, A-search with the alpha that meets the energy target.
class ASearch final : public RememberingIntegrator {
public:
    explicit ASearch(const AlphaRule& rule, bool damped_start = false)
        : rule_(rule)
        , start_(damped_start)
    {
        remember({&rule_, &a_, &loss_, &start_});
    }
    static std::vector<OptionSpec> options(); ///< of the searching methods
    static std::vector<OptionSpec> a_1_options(); ///< of A-1, which has no range

    StepOutcome step(const StepRequest& request, State& next) override;

private:
    const Vector& as_read(const StepRequest& request, double alpha, State& next);

    AlphaRule rule_;
    ImplicitEuler implicit_euler_;
    SolvedAcceleration a_;
    ImpulseLoss loss_;
    DampedStart start_;
    Vector w_, dv_, read_; // work
};

} // namespace rubato
