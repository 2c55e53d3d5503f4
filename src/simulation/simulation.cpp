#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

/// One step, as docs/step.md tells it:
///
///     begin_step            lag dissipations at the state where the step starts
///     integrator.step       propose
///     prescribe             scripted unknowns go where the script says
///     finite?               state, energies and momenta, before anyone sees them
///     controller.judge      accept, or try a shorter step, or give up
///     integrator.accept     history moves
///     ledger.book           injected, dissipated, the energy target
///     observers             statistics, frames, checkpoints
namespace rubato {

namespace {

/// Lengths that differ by less than this fraction of a step are the same: the end time is a multiple of h although
/// neither is exact in binary.
constexpr double same_length = 1e-6;

double wall_clock()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

Simulation::Simulation(
    Dynamics& dynamics, Integrator& integrator, StepController& controller, State start, const EnergyTarget* target)
    : dynamics_(dynamics)
    , integrator_(integrator)
    , controller_(controller)
    , now_(std::move(start))
    , h_(controller.first_h())
    , first_h_(h_)
{
    dynamics_.prescribe(now_);
    now_measures_ = measures(now_);
    ledger_ = EnergyLedger::opened(now_measures_.kinetic + now_measures_.potential.total(), target);
    grid_.origin = now_.t;
}

RunResult Simulation::run(double end_time, const std::atomic<bool>* stop)
{
    began_ = wall_clock();
    before_ = dynamics_.phase_times();
    output_ = 0;
    if (!now_.finite() || !now_measures_.finite()) {
        return {.why = fmt::format("the state at t = {:.6g} s has infinite energy or is not a number; "
                                   "check initial positions and velocities",
                    now_.t)};
    }
    if (!start_is_told_) tell({}, 0);
    start_is_told_ = true;

    while (end_time - now_.t > round_off()) {
        if (stop != nullptr && *stop) return {.interrupted = true, .why = {}};

        const Attempt a = next_attempt(end_time);
        const StepOutcome outcome = attempt(a);
        const Decision decision = controller_.judge(now_, next_, a.h, outcome);
        if (decision.accept && outcome.status == StepStatus::ok) {
            h_ = decision.next_h;
            commit(a, outcome);
        } else if (decision.next_h > 0 && decision.next_h < a.h) {
            h_ = decision.next_h;
        } else {
            return {.why = failure(a.h, outcome)};
        }
    }
    return {.finished = true, .why = {}};
}

/// What is left of the time and shorter than this is not a step. The measure is the step just taken, not only the one
/// wanted next: h may be far longer than the whole run, which is one step then.
double Simulation::round_off() const { return same_length * std::min(h_, grid_.h); }

/// The last step ends at end_time exactly; it is a whole h, or shorter, or longer by less than one step can notice.
Simulation::Attempt Simulation::next_attempt(double end_time) const
{
    const double remaining = end_time - now_.t;
    if (remaining <= (1 + same_length) * h_) {
        const bool round_off = std::abs(remaining - h_) <= 1e-9 * h_; // then h keeps its exact value
        return {.h = round_off ? h_ : remaining, .t_next = end_time};
    }
    const bool on_grid = h_ == grid_.h;
    return {.h = h_, .t_next = on_grid ? grid_.origin + static_cast<double>(grid_.count + 1) * h_ : now_.t + h_};
}

StepOutcome Simulation::attempt(const Attempt& a)
{
    dynamics_.begin_step(now_, a.h);
    StepOutcome outcome = integrator_.step({dynamics_, now_, a.h, ledger_}, next_);
    if (outcome.status != StepStatus::ok) return outcome;

    next_.t = a.t_next;
    dynamics_.prescribe(next_);
    bool finite = next_.finite() && std::isfinite(outcome.dissipated.total());
    if (finite) {
        next_measures_ = measures(next_);
        injected_ = dynamics_.injected(now_, next_);
        finite = next_measures_.finite() && std::isfinite(injected_);
        outcome.dissipated = ledger_.bookable(outcome.dissipated, injected_, next_measures_.potential.total());
    }
    if (!finite) outcome.status = StepStatus::not_finite;
    return outcome;
}

void Simulation::commit(const Attempt& a, const StepOutcome& outcome)
{
    if (a.h == grid_.h)
        ++grid_.count;
    else
        grid_ = {.origin = now_.t, .h = a.h, .count = 1};

    integrator_.accept(now_, next_);
    dynamics_.accept();
    const Dissipated& dissipated = outcome.dissipated;
    ledger_.book(now_.t, next_.t, injected_ + dissipated.driven, dissipated.total());
    std::swap(now_, next_);
    now_measures_ = next_measures_;
    ++step_;
    tell(outcome, a.h);
}

bool Simulation::Measures::finite() const
{
    return std::isfinite(potential.total()) && std::isfinite(kinetic) && linear.allFinite() && angular.allFinite();
}

Simulation::Measures Simulation::measures(const State& state) const
{
    Measures m;
    m.potential = dynamics_.potential_energy(state.t, state.x);
    m.kinetic = dynamics_.kinetic_energy(state.v);
    dynamics_.momenta(state, m.linear, m.angular);
    m.touching = dynamics_.touching(state.x);
    return m;
}

PhaseTimes Simulation::phases() const
{
    const PhaseTimes now = dynamics_.phase_times();
    return {.elasticity = now.elasticity - before_.elasticity,
        .contact = now.contact - before_.contact,
        .ccd = now.ccd - before_.ccd,
        .linear = now.linear - before_.linear,
        .output = output_};
}

void Simulation::tell(const StepOutcome& outcome, double h)
{
    const StepRecord record{
        .step = step_,
        .h = h,
        .state = now_,
        .potential = now_measures_.potential,
        .kinetic = now_measures_.kinetic,
        .linear_momentum = now_measures_.linear,
        .angular_momentum = now_measures_.angular,
        .touching = now_measures_.touching,
        .ledger = ledger_,
        .outcome = outcome,
        .wall = wall_clock() - began_,
        .phases = phases(),
    };
    const PhaseClock clock(output_);
    for (Observer* observer : observers_) observer->step(record);
}

std::string Simulation::failure(double h, const StepOutcome& outcome) const
{
    const std::string shorter = h_ < first_h_ ? "more halvings (time.controller.max_halvings)"
                                              : "a shorter step, the halving step controller";
    std::string why, advice;
    switch (outcome.status) {
    case StepStatus::solve_failed:
        why = fmt::format("{} after {} iterations, the last of which moved a node by {:.3g} m",
            text(outcome.solve.reason), outcome.solve.iterations, outcome.solve.residual);
        advice = shorter + ", or more iterations";
        break;
    case StepStatus::inadmissible:
        why = "its end point, or the way to it, leaves the domain of a potential (an element would invert, or "
              "something would pass through something)";
        advice = shorter
            + ", an integrator whose end point is solved for (implicit-euler, bdf2), or a material without a barrier";
        break;
    case StepStatus::not_finite:
        why = "positions, velocities or energies became infinite or not a number";
        advice = shorter + ", or an implicit integrator (explicit methods need h below 2 over the highest frequency)";
        break;
    case StepStatus::ok:
        why = "the step controller rejected it and has no shorter step to try";
        advice = "a looser tolerance or a smaller shortest step";
        break;
    }
    return fmt::format("step {} from t = {:.6g} s with h = {:.6g} s could not be taken: {}. Try {}.", step_ + 1, now_.t,
        h, why, advice);
}

void Simulation::serialize(Archive& archive)
{
    archive.expect_vectors_of(dynamics_.unknowns());
    now_.serialize(archive);
    ledger_.serialize(archive);
    archive("step", step_);
    archive("h", h_);
    archive("grid.origin", grid_.origin);
    archive("grid.h", grid_.h);
    archive("grid.count", grid_.count);
    if (archive.loading()) check_loaded();
    integrator_.serialize(archive);
    controller_.serialize(archive);
    dynamics_.serialize(archive);
    if (archive.loading()) {
        now_measures_ = measures(now_);
        start_is_told_ = true;
    }
}

/// What was loaded must be a state of this system: everything after trusts its sizes.
void Simulation::check_loaded() const
{
    const Eigen::Index n = dynamics_.unknowns();
    if (now_.x.size() != n || now_.v.size() != n) {
        throw Archive::Mismatch(fmt::format(
            "holds {} positions and {} velocities where the system has {} unknowns", now_.x.size(), now_.v.size(), n));
    }
    if (!now_.finite() || !std::isfinite(ledger_.balance() + ledger_.target) || !std::isfinite(h_) || h_ <= 0) {
        throw Archive::Mismatch("holds a state that is not finite");
    }
}

} // namespace rubato
