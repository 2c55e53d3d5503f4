#pragma once

#include "dynamics/energy_ledger.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/observer.hpp"
#include "dynamics/step_controller.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace rubato {

/// How a run ended.
struct RunResult {
    bool finished = false; ///< reached the end time
    bool interrupted = false; ///< the caller's stop flag was raised
    std::string why; ///< when neither: which step, why, and what to try
};

/// The only loop that commits a step: attempt, judge, accept, book, tell the observers.
class Simulation {
public:
    /// `target`: the rule for what the total energy should be; null keeps all of it.
    Simulation(Dynamics& dynamics, Integrator& integrator, StepController& controller, State start,
        const EnergyTarget* target = nullptr);

    void observe(Observer& observer) { observers_.push_back(&observer); }

    /// Steps until `end_time` [s] (the last step is shortened to hit it if it would overshoot by more than round-off).
    /// Tells the observers about the start first, unless the run was resumed.
    RunResult run(double end_time, const std::atomic<bool>* stop = nullptr);

    const State& state() const { return now_; } ///< the last good state
    long steps() const { return step_; }
    const EnergyLedger& ledger() const { return ledger_; }

    /// Saves or restores everything that later steps depend on: state, ledger, step number and length, the
    /// integrator's, the controller's and the dynamics' history. Throws Archive::Mismatch if what is loaded does not
    /// fit the system.
    void serialize(Archive& archive);

private:
    /// What is told about a state besides itself.
    struct Measures {
        EnergyParts potential;
        double kinetic = 0;
        Vec3 linear, angular;
        Touching touching = {};
        bool finite() const;
    };
    /// Times of equal steps are origin + count h, not a running sum: they do not drift.
    struct Grid {
        double origin = 0, h = 0;
        long count = 0;
    };
    struct Attempt {
        double h; ///< [s]
        double t_next; ///< [s]
    };

    double round_off() const; ///< [s]
    Attempt next_attempt(double end_time) const;
    StepOutcome attempt(const Attempt& a); ///< writes next_, next_measures_, injected_
    void commit(const Attempt& a, const StepOutcome& outcome);
    Measures measures(const State& state) const;
    PhaseTimes phases() const; ///< of this run
    void tell(const StepOutcome& outcome, double h);
    std::string failure(double h, const StepOutcome& outcome) const;
    void check_loaded() const; ///< throws Archive::Mismatch

    Dynamics& dynamics_;
    Integrator& integrator_;
    StepController& controller_;
    State now_, next_;
    Measures now_measures_, next_measures_;
    double injected_ = 0; // in the attempted step, apart from what drives dissipations [J]
    EnergyLedger ledger_;
    std::vector<Observer*> observers_;
    long step_ = 0;
    double h_ = 0; // length of the next attempt [s]
    double first_h_ = 0; // what the controller began with [s]
    Grid grid_;
    bool start_is_told_ = false;
    double began_ = 0; // wall clock [s]
    PhaseTimes before_; // what the dynamics had spent then
    double output_ = 0; // time of the observers [s]
};

} // namespace rubato
