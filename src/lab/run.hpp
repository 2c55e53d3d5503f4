#pragma once

#include "dynamics/integrator.hpp"
#include "dynamics/observer.hpp"
#include "lab/problem.hpp"
#include "simulation/simulation.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rubato {

/// An integrator of the catalog by name, with some of its options set and the rest at their defaults.
struct Method {
    std::string name; ///< as in the catalog
    std::vector<std::pair<std::string, double>> options = {};
    std::string label = {}; ///< what tables call it; empty: its name

    const std::string& title() const { return label.empty() ? name : label; }
};

std::unique_ptr<Integrator> integrator_of(const Method& method);

/// Runs a problem with equal steps to `duration` [s] and tells `watch` of every accepted step, the start first.
/// A run that cannot go on ends early and says why.
RunResult run_problem(LabProblem& problem, const Method& method, double h, double duration,
    const std::function<void(const StepRecord&)>& watch, const EnergyTarget* target = nullptr);

/// The state at the end; throws std::runtime_error if the run could not be finished.
State final_state(LabProblem& problem, const Method& method, double h, double duration);

} // namespace rubato
