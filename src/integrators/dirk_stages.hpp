#pragma once

#include "dynamics/integrator.hpp"
#include "integrators/tableau.hpp"

#include <vector>

namespace rubato {

/// The rows of a diagonally implicit tableau, taken one after another, and the end of the step that they lead to.
class DirkStages {
public:
    /// Not dissipative: conservative forces alone.
    explicit DirkStages(Tableau tableau, bool dissipative = true);

    /// Takes every row from r.now; the outcome is ok if none failed. `a_start`: the acceleration there, for rows that
    /// stand at the start of the step, if something better is known than the forces.
    StepOutcome taken(const StepRequest& r, const Vector* a_start = nullptr);
    /// Then: the end of the step, with what it dissipates.
    StepOutcome end_of_step(const StepRequest& r, const SolveReport& solve, State& next);

    const Tableau& tableau() const { return tableau_; }
    std::size_t size() const { return Z_.size(); }
    const State& stage(std::size_t i) const { return Z_[i]; }
    const Vector& acceleration(std::size_t i) const { return A_[i]; } ///< [m/s^2]

private:
    Dissipated dissipation(Dynamics& dynamics);

    Tableau tableau_;
    bool stiffly_accurate_, shares_first_;

    std::vector<State> Z_; // stages: t + c_i h, X_i, V_i
    std::vector<Vector> A_; // their accelerations [m/s^2]
    Stage stage_;
    Vector v_bar_; // work
};

} // namespace rubato
