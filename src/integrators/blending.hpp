#pragma once

#include "base/options.hpp"
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
    /// The end of the step by one method.
    struct End {
        State state;
        double dissipated = 0; ///< [J]
        double error = 0; ///< total energy less target [J]; +infinity where one may not be
    };
    void measure(const StepRequest& r, const StepOutcome& outcome, End& end) const;
    /// Blend of a method that gains and one that loses energy; returns the share of the latter.
    double blend(const StepRequest& r, const Vector& from, const End& gaining, const End& losing, double allowed);

    double tolerance_;
    ImplicitMidpoint midpoint_;
    ImplicitEuler backward_euler_;
    ForwardEuler forward_euler_;
    End im_, be_, fe_, blended_;
    State beyond_;
};

} // namespace rubato
