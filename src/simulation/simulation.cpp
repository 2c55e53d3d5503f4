#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

/// One step, as docs/step.md tells it; the loop is in advance.cpp:
///
///     begin_step            lag dissipations at the state where the step starts
///     integrator.step       propose
///     prescribe             scripted unknowns go where the script says
///     finite?               state, energies and momenta, before anyone sees them
///     filter                velocities, if anything does; what they lose is dissipated
///     controller.judge      accept, or try a shorter step, or give up
///     integrator.accept     history moves, and hears what filters did
///     dynamics.accept       memory of solvers and terms moves; the method hears of what broke, which is booked
///     ledger.book           injected, dissipated, the energy target
///     observers             statistics, frames, checkpoints
namespace rubato {

namespace {

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

std::string Simulation::begun()
{
    if (clock_runs_) return "";
    if (!now_.finite() || !now_measures_.finite()) {
        return fmt::format("the state at t = {:.6g} s has infinite energy or is not a number; "
                           "check initial positions and velocities",
            now_.t);
    }
    clock_runs_ = true;
    began_ = wall_clock();
    before_ = dynamics_.phase_times();
    output_ = 0;
    if (!start_is_told_) tell({}, 0);
    start_is_told_ = true;
    return "";
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
        outcome.dissipated = ledger_.bookable(outcome.dissipated, injected_, next_measures_.potential.total());
        if (dynamics_.filters()) filter(a.h, outcome.dissipated);
        finite = next_measures_.finite() && std::isfinite(injected_);
    }
    if (!finite) outcome.status = StepStatus::not_finite;
    return outcome;
}

/// The way was gone with the velocities that were proposed, so work on it is known before they are filtered. What
/// filters take was there, as their doing shows: nothing limits it.
void Simulation::filter(double h, Dissipated& dissipated)
{
    jump_ = next_.v;
    dynamics_.filter(now_, next_, h);
    jump_ = next_.v - jump_;
    const double lost = next_measures_.kinetic - dynamics_.kinetic_energy(next_.v);
    next_measures_.kinetic = dynamics_.kinetic_energy(next_.v);
    dynamics_.momenta(next_, next_measures_.linear, next_measures_.angular);
    (lost > 0 ? dissipated.free : injected_) += std::abs(lost);
}

void Simulation::commit(const Attempt& a, const StepOutcome& outcome)
{
    if (a.h == grid_.h)
        ++grid_.count;
    else
        grid_ = {.origin = now_.t, .h = a.h, .count = 1};

    integrator_.accept(now_, next_);
    if (dynamics_.filters()) integrator_.jumped(jump_, {});
    const Accepted changed = dynamics_.accept(next_, jump_of_forces_);
    const Dissipated& dissipated = outcome.dissipated;
    ledger_.book(now_.t, next_.t, injected_ + dissipated.driven, dissipated.total());
    std::swap(now_, next_);
    now_measures_ = next_measures_;
    ++step_;
    if (changed.forces) take_over(changed);
}

/// Something broke or flowed at the end of the step: it takes its energy with it, and methods go on with other forces.
void Simulation::take_over(const Accepted& changed)
{
    integrator_.jumped({}, jump_of_forces_);
    ledger_.book(now_.t, now_.t, 0, changed.dissipated);
    now_measures_ = measures(now_);
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
    serialize_motion(archive);
    if (doubles()) {
        archive("half.h", half_left_.h);
        archive("half.t_next", half_left_.t_next);
        const bool is_one = half_left_.h == 0 || (half_left_.h > 0 && half_left_.t_next > now_.t);
        if (archive.loading() && !is_one) throw Archive::Mismatch("holds half a step of no length");
    }
    controller_.serialize(archive);
    journal_.serialize(archive, set_parameter_);
    if (archive.loading()) {
        now_measures_ = measures(now_);
        start_is_told_ = true;
    }
}

void Simulation::serialize_motion(Archive& archive)
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
    dynamics_.serialize(archive);
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
