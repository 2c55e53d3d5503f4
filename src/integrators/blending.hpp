#pragma once

#include "base/options.hpp"
#include "integrators/blend_search.hpp"
#include "integrators/forward_euler.hpp"
#include "integrators/implicit_euler.hpp"
#include "integrators/implicit_midpoint.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// The midpoint rule, mixed with backward Euler where it gains energy and with forward Euler where it loses some.
class Blending final : public Integrator {
public:
    static constexpr double default_tolerance = 0.01;
    explicit Blending(double tolerance) ///< of the energy, relative to the total energy
        : tolerance_(tolerance)
    {
    }
    static std::vector<OptionSpec> options();
    static std::unique_ptr<Integrator> make(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override;

private:
    double tolerance_;
    ImplicitMidpoint midpoint_;
    ImplicitEuler backward_euler_;
    ForwardEuler forward_euler_;
    BlendSearch search_;
    StepEnd im_, be_, fe_, blended_;
};

} // namespace rubato
