#pragma once

#include "base/options.hpp"
#include "dynamics/integrator.hpp"
#include "integrators/tableau.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// Any diagonally implicit Runge-Kutta method, by its tableau.
class Dirk final : public Integrator {
public:
    explicit Dirk(Tableau tableau);
    static std::vector<OptionSpec> options();
    static std::unique_ptr<Integrator> make(const Options& options);
    static int order(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override;

private:
    StepOutcome end_of_step(const StepRequest& request, const Vector& reached, const SolveReport& solve, State& next);

    Tableau tableau_;
    bool stiffly_accurate_;

    std::vector<State> Z_; // stages: t + c_i h, X_i, V_i
    std::vector<Vector> A_; // their accelerations [m/s^2]
    Stage stage_;
    Vector v_bar_; // work
};

} // namespace rubato
