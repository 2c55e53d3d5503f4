#pragma once

#include "base/options.hpp"
#include "dynamics/integrator.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// Old and new forces in the proportion (1 - theta) : theta. Implicit Euler at 1, trapezoidal rule at 1/2.
class ThetaMethod final : public Integrator {
public:
    explicit ThetaMethod(double theta) ///< in (0, 1]
        : theta_(theta)
    {
    }
    static std::vector<OptionSpec> options();
    static std::unique_ptr<Integrator> make(const Options& options);
    static int order(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override;

private:
    double theta_;
    Stage stage_;
    Vector a_, y_, dx_; // work
};

} // namespace rubato
