#pragma once

#include "integrators/alpha_rule.hpp"
#include "integrators/implicit_euler.hpp"
#include "integrators/impulse_loss.hpp"
#include "integrators/solved_acceleration.hpp"

#include <memory>

namespace rubato {

/// Implicit Euler whose velocity is corrected by a multiple alpha of the force difference over the step: A-1 with
/// alpha = 1, A-search with the alpha that meets the energy target.
class ASearch final : public Integrator {
public:
    explicit ASearch(const AlphaRule& rule, bool damped_start = false)
        : rule_(rule)
        , damped_start_(damped_start)
    {
    }
    static std::vector<OptionSpec> options(); ///< of the searching methods
    static std::vector<OptionSpec> a_1_options(); ///< of A-1, which has no range

    StepOutcome step(const StepRequest& request, State& next) override;
    void accept(const State&, const State&) override
    {
        rule_.accept();
        a_.accept();
        loss_.accept();
        started_ = true;
    }
    void jumped(const Vector& dv, const Vector& da) override
    {
        a_.jumped(da);
        loss_.jumped(dv);
    }
    void restart() override
    {
        rule_.restart();
        a_.restart();
        loss_.restart();
    }
    void serialize(Archive& archive) override
    {
        rule_.serialize(archive);
        a_.serialize(archive);
        loss_.serialize(archive);
        if (damped_start_) archive("a-1.started", started_);
    }

private:
    const Vector& as_read(const StepRequest& request, double alpha, State& next);

    AlphaRule rule_;
    ImplicitEuler implicit_euler_;
    bool damped_start_; // the first step of A-1 is implicit Euler's
    bool started_ = false; // history: there was a first step, whatever is remembered of it
    SolvedAcceleration a_;
    ImpulseLoss loss_;
    Vector w_, dv_, read_; // work
};

} // namespace rubato
