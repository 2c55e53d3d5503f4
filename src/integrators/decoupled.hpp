#pragma once

#include "integrators/alpha_rule.hpp"
#include "integrators/dirk.hpp"
#include "integrators/impulse_loss.hpp"
#include "integrators/solved_acceleration.hpp"

namespace rubato {

/// Positions from a Runge-Kutta method, velocities from that method and its adjoint.
class Decoupled final : public RememberingIntegrator {
public:
    Decoupled(const Tableau& tableau, const AlphaRule& rule) ///< throws InputError if the adjoint cannot be solved
        : base_(tableau)
        , adjoint_(adjoint(tableau), false)
        , rule_(rule)
        , by_impulse_(tableau.order() < 2)
    {
        remember({&rule_, &a_, &loss_});
    }
    static std::vector<OptionSpec> symplectic_options();
    static std::vector<OptionSpec> alpha_options();
    static std::unique_ptr<Integrator> make_symplectic(const Options& options);
    static std::unique_ptr<Integrator> make_alpha(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override;

private:
    DirkStages base_, adjoint_;
    AlphaRule rule_;
    bool by_impulse_; // what is dissipated: else by the tableau
    SolvedAcceleration a_;
    ImpulseLoss loss_;
    Vector drag_, dv_, w_; // work
};

} // namespace rubato
