#include "simulation/simulation.hpp"

#include <utility>

/// Step doubling: one step of length h, for comparison, and two of h/2, which are what is accepted.
///
///     attempt(h)                        leaves no trace, but where it ends
///     attempt(h/2), commit              the second half is to see the history that the first leaves
///     attempt(h/2)
///     judge                             accepted: tell the first half, commit and tell the second
///                                       rejected: back to where the first began
namespace rubato {

StepOutcome Simulation::attempt_halves(const Attempt& a)
{
    halves_.first_is_committed = false;
    halves_.start = now_;
    StepOutcome outcome = attempt(a);
    if (outcome.status != StepStatus::ok) return outcome;
    halves_.whole = next_.x;
    const SolveReport whole_solve = outcome.solve;

    const double h = a.h / 2;
    const bool on_grid = h == grid_.h;
    const double middle
        = on_grid ? grid_.origin + static_cast<double>(grid_.count + 1) * h : now_.t + (a.t_next - now_.t) / 2;
    halves_.first = {.h = h, .t_next = middle};
    halves_.second = {.h = h, .t_next = a.t_next};
    outcome = attempt(halves_.first);
    outcome.solve.merge(whole_solve); // somebody has to count that work
    if (outcome.status != StepStatus::ok) return outcome;

    halves_.before = Archive();
    serialize_motion(halves_.before);
    commit(halves_.first, outcome);
    halves_.first_outcome = outcome;
    halves_.first_is_committed = true;
    return attempt(halves_.second);
}

void Simulation::commit_halves(const StepOutcome& outcome)
{
    half_left_ = halves_.second;
    tell(halves_.first_outcome, halves_.first.h);
    half_left_ = {};
    commit(halves_.second, outcome);
    tell(outcome, halves_.second.h);
}

void Simulation::reject_halves()
{
    if (!halves_.first_is_committed) return;
    Archive before(halves_.before.bytes());
    serialize_motion(before);
    now_measures_ = measures(now_);
}

/// What was saved between two halves goes on with the second, which was accepted with the first. False: there is none.
bool Simulation::finish_halves()
{
    if (half_left_.h == 0) return false;
    const Attempt second = std::exchange(half_left_, {});
    const StepOutcome outcome = attempt(second);
    if (outcome.status != StepStatus::ok) return false; // it was taken once; here it is a step like any other
    commit(second, outcome);
    tell(outcome, second.h);
    return true;
}

} // namespace rubato
