#pragma once

#include "base/options.hpp"
#include "dynamics/integrator.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// The generalised-alpha method of Chung and Hulbert (1993): second order, with adjustable loss at high frequencies.
class GeneralisedAlpha final : public Integrator {
public:
    /// rho_inf in [0, 1]: spectral radius at infinite frequency. 1 is the implicit midpoint rule.
    explicit GeneralisedAlpha(double rho_inf);
    static std::vector<OptionSpec> options();
    static std::unique_ptr<Integrator> make(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override;
    void accept(const State& before, const State& after) override;
    void jumped(const Vector& dv, const Vector& da) override;
    void restart() override { known_ = false; }
    void serialize(Archive& archive) override;

private:
    struct Coefficients {
        double alpha_m, beta, gamma;
    };
    /// What a step leaves behind, of its end and of where it began, both delayed by the same share of its length.
    struct Trail {
        double h = 0; ///< length of the step [s]
        Vector a, a_before; ///< accelerations, without forces that may jump [m/s^2]
        Vector loss, loss_before; ///< the force of dissipations in them [N]
    };
    /// Writes a and loss as the step starts from them: trail_next_.a_before and loss_before.
    void continue_trail(const StepRequest& request);

    double share_; // 1 - alpha_f: where in the step forces are evaluated
    double delay_; // alpha_m - alpha_f <= 0: a_n is the acceleration at t_n + delay_ h
    Coefficients coefficients_;

    bool known_ = false;
    Trail trail_, trail_next_; // history, and what becomes history when the step is accepted

    Stage stage_;
    State solved_; // y and u
    Vector a_start_, loss_, dx_; // work
};

} // namespace rubato
