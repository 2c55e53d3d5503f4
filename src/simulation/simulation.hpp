#pragma once

#include "dynamics/energy_ledger.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/observer.hpp"
#include "dynamics/step_controller.hpp"
#include "simulation/journal.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace rubato {

/// How a run ended.
struct RunResult {
    bool finished = false; ///< reached the end time
    bool interrupted = false; ///< the caller's stop flag was raised
    std::string why; ///< when neither: which step, why, and what to try
};

/// What a call of Simulation::advance came to.
struct Advanced {
    bool stepped = false; ///< a step was accepted
    bool at_end = false; ///< the end time was reached before
    bool interrupted = false; ///< the caller's stop flag was raised before a step was accepted
    std::string why; ///< when none of these: which step, why, and what to try
};

/// What a change of a parameter did.
struct Changed {
    double before = 0; ///< the value that the parameter had
    double injected = 0; ///< by changing it [J]
};

/// Everything that later steps depend on, in memory.
struct Snapshot {
    std::vector<std::uint8_t> bytes;
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

    /// One accepted step with all its attempts, toward `end_time` [s]; `run` is a loop over it. Where the controller
    /// wants step doubling it is two steps, the halves.
    Advanced advance(double end_time, const std::atomic<bool>* stop = nullptr);

    /// Times [s] at which a step is to end exactly. What is left before the next one is divided into equal steps, none
    /// longer than the controller wants; behind it they get longer again within what the method bears. Times closer to
    /// each other than a millionth of a step are one.
    void hit(std::vector<double> times);
    /// The order of accuracy of the integrator, which controllers are told; 1 unless it is given.
    void set_order(int order) { order_ = order; }

    /// Says how parameters are changed; without it none can be.
    void let_change(SetParameter set) { set_parameter_ = std::move(set); }
    /// Changes a parameter between two steps; not to be called by observers. The energy that this takes is booked as
    /// injected. Throws InputError, with everything as it was.
    Changed change(const Edit& edit);
    const Journal& journal() const { return journal_; } ///< what was changed

    const State& state() const { return now_; } ///< the last good state
    long steps() const { return step_; }
    const EnergyLedger& ledger() const { return ledger_; }

    /// Saves or restores everything that later steps depend on: state, ledger, step number and length, the
    /// integrator's, the controller's and the dynamics' history, changed parameters. Throws Archive::Mismatch if what
    /// is loaded does not fit the system.
    void serialize(Archive& archive);

    /// Undo: after `restore` steps have the same bits as those after `snapshot` had. Observers are not told that time
    /// went back.
    Snapshot snapshot();
    void restore(const Snapshot& snapshot);

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

    /// A step in two halves: both are attempted before the whole is judged, the second after the first was committed.
    struct Halves {
        State start; ///< where the first begins
        Vector whole; ///< where one step of the whole length ends [m]
        Attempt first, second;
        StepOutcome first_outcome;
        Archive before; ///< what a rejection goes back to
        bool first_is_committed = false;
    };

    // times.cpp
    double round_off() const; ///< [s]
    bool doubles() const { return controller_.wants() == Estimate::doubling; }
    double next_hit() const; ///< [s]; infinity: none
    double length_toward(double hit) const; ///< of the next step but for the end of the run [s]
    Attempt next_attempt(double end_time) const;

    std::string begun(); ///< starts the clock and tells the start; why it cannot begin, or nothing
    StepOutcome attempt(const Attempt& a); ///< writes next_, next_measures_, injected_
    void filter(double h, Dissipated& dissipated); ///< writes next_, next_measures_, jump_, and books what it finds
    void commit(const Attempt& a, const StepOutcome& outcome);
    void take_over(const Accepted& changed);

    // advance.cpp
    Decision judged(const Attempt& a, const StepOutcome& outcome);
    double error_of(const StepOutcome& outcome) const; ///< of the attempt in next_, as the controller wants it
    double target_after(const StepOutcome& outcome) const; ///< what the total energy should be at its end [J]

    // halves.cpp
    StepOutcome attempt_halves(const Attempt& a); ///< the outcome of the second, or of what failed before
    void commit_halves(const StepOutcome& outcome);
    void reject_halves();
    bool finish_halves();

    void serialize_motion(Archive& archive); ///< all but the controller
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
    Vector jump_; // of velocities at the end of the attempted step, by filters [m/s]
    double injected_ = 0; // in the attempted step, apart from what drives dissipations [J]
    EnergyLedger ledger_;
    std::vector<Observer*> observers_;
    long step_ = 0;
    double h_ = 0; // length of the next attempt [s]
    double first_h_ = 0; // what the controller began with [s]
    Grid grid_;
    std::vector<double> hits_; // ascending [s]
    int order_ = 1;
    Halves halves_;
    Attempt half_left_ = {}; // accepted, but not committed yet: told the first half, an observer may save; h = 0: none
    SetParameter set_parameter_;
    Journal journal_;
    Vector a_before_, jump_of_forces_; // work [m/s^2]
    bool clock_runs_ = false;
    bool start_is_told_ = false;
    double began_ = 0; // wall clock [s], if it runs
    PhaseTimes before_; // what the dynamics had spent then
    double output_ = 0; // time of the observers [s]
};

} // namespace rubato
