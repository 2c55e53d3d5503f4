#pragma once

#include "base/options.hpp"
#include "dynamics/integrator.hpp"

#include <memory>

namespace rubato {

/// A method whose velocity is read otherwise than it is stepped: v of the state becomes u, the method takes its step
/// from u, and u at its end is read as v. The method itself knows nothing of it, unless it steers the energy: then it
/// has to measure the velocity as it will be read, and asks StepRequest::reading.
///
/// For methods that remember no velocities of the state (A-1 and A-search remember w, which is one of u).
class ReadLater final : public Integrator {
public:
    ReadLater(std::unique_ptr<Integrator> method, std::unique_ptr<Reading> reading)
        : method_(std::move(method))
        , reading_(std::move(reading))
    {
    }
    static OptionSpec exact_gravity_option();
    /// The method as it is, or read later, as the option "exact_gravity" says.
    static std::unique_ptr<Integrator> as_asked(const Options& options, std::unique_ptr<Integrator> method);

    StepOutcome step(const StepRequest& request, State& next) override;
    void accept(const State& before, const State& after) override { method_->accept(before, after); }
    void jumped(const Vector& dv, const Vector& da) override { method_->jumped(dv, da); }
    void restart() override { method_->restart(); }
    double most_growth() const override { return method_->most_growth(); }
    void serialize(Archive& archive) override { method_->serialize(archive); }

private:
    std::unique_ptr<Integrator> method_;
    std::unique_ptr<Reading> reading_;
    State inner_; // work: the start of the step with u
};

} // namespace rubato
