#pragma once

#include "integrators/alpha_rule.hpp"
#include "integrators/dirk.hpp"
#include "integrators/impulse_loss.hpp"
#include "integrators/solved_acceleration.hpp"

namespace rubato {

/// Positions from a Runge-Kutta method, velocities from that method and its adjoint.
class Decoupled final : public Integrator {
public:
    Decoupled(const Tableau& tableau, const AlphaRule& rule) ///< throws InputError if the adjoint cannot be solved
        : base_(tableau)
        , adjoint_(adjoint(tableau), false)
        , rule_(rule)
        , by_impulse_(tableau.order() < 2)
    {
    }
    static std::vector<OptionSpec> symplectic_options();
    static std::vector<OptionSpec> alpha_options();
    static std::unique_ptr<Integrator> make_symplectic(const Options& options);
    static std::unique_ptr<Integrator> make_alpha(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override;
    void accept(const State&, const State&) override
    {
        rule_.accept();
        a_.accept(base_.tableau().stiffly_accurate());
        loss_.accept();
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
    }

private:
    DirkStages base_, adjoint_;
    AlphaRule rule_;
    bool by_impulse_; // what is dissipated: else by the tableau
    SolvedAcceleration a_;
    ImpulseLoss loss_;
    Vector drag_, dv_, w_; // work
};

} // namespace rubato
