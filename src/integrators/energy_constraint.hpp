#pragma once

#include "base/options.hpp"
#include "dynamics/integrator.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// The trapezoidal rule under the constraint that the total energy is the target.
class EnergyConstraint final : public Integrator {
public:
    static constexpr double default_tolerance = 1e-6;
    explicit EnergyConstraint(double tolerance) ///< of the energy, relative to the total energy
        : tolerance_(tolerance)
    {
    }
    static std::vector<OptionSpec> options();
    static std::unique_ptr<Integrator> make(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override;

private:
    double tolerance_;
    Stage stage_;
    State trial_;
    Vector a_, d_, dx_, start_; // work
};

} // namespace rubato
