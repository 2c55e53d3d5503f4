#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

namespace {

/// The largest distance between the two places of a node [m].
double largest_distance(const Vector& a, const Vector& b)
{
    double most = 0; // squared
    for (Index i = 0; i < static_cast<Index>(a.size() / 3); ++i) {
        most = std::max(most, (node(a, i) - node(b, i)).squaredNorm());
    }
    return std::sqrt(most);
}

} // namespace

RunResult Simulation::run(double end_time, const std::atomic<bool>* stop)
{
    clock_runs_ = false;
    Advanced advanced;
    do {
        advanced = advance(end_time, stop);
    } while (advanced.stepped);
    return {.finished = advanced.at_end, .interrupted = advanced.interrupted, .why = std::move(advanced.why)};
}

Advanced Simulation::advance(double end_time, const std::atomic<bool>* stop)
{
    if (std::string why = begun(); !why.empty()) return {.why = std::move(why)};

    while (end_time - now_.t > round_off()) {
        if (stop != nullptr && *stop) return {.interrupted = true, .why = {}};
        if (finish_halves()) return {.stepped = true, .why = {}};

        const Attempt a = next_attempt(end_time);
        const StepOutcome outcome = doubles() ? attempt_halves(a) : attempt(a);
        const Decision decision = judged(a, outcome);
        if (decision.accept && outcome.status == StepStatus::ok) {
            h_ = decision.next_h;
            if (doubles()) {
                commit_halves(outcome);
            } else {
                commit(a, outcome);
                tell(outcome, a.h);
            }
            return {.stepped = true, .why = {}};
        }
        if (doubles()) reject_halves();
        if (decision.next_h <= 0 || decision.next_h >= a.h) return {.why = failure(a.h, outcome)};
        h_ = decision.next_h;
    }
    return {.at_end = true, .why = {}};
}

/// After a failed attempt next_ is of no step: nobody sees it.
Decision Simulation::judged(const Attempt& a, const StepOutcome& outcome)
{
    const bool ok = outcome.status == StepStatus::ok;
    const Measures& measured = ok ? next_measures_ : now_measures_;
    return controller_.judge({.h = a.h,
        .wanted = h_,
        .now = doubles() ? halves_.start : now_,
        .proposed = ok ? &next_ : nullptr,
        .outcome = outcome,
        .error = ok ? error_of(outcome) : std::numeric_limits<double>::quiet_NaN(),
        .order = order_,
        .total = measured.kinetic + measured.potential.total(),
        .target = ok ? target_after(outcome) : ledger_.target,
        .most_growth = doubles() ? integrator_.most_growth() / 2 : integrator_.most_growth()});
}

double Simulation::error_of(const StepOutcome& outcome) const
{
    switch (controller_.wants()) {
    case Estimate::energy:
        return std::abs(next_measures_.kinetic + next_measures_.potential.total() - target_after(outcome));
    case Estimate::doubling: return largest_distance(halves_.whole, next_.x);
    case Estimate::none: break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

double Simulation::target_after(const StepOutcome& outcome) const
{
    const Dissipated& dissipated = outcome.dissipated;
    return ledger_.target_after(now_.t, next_.t, injected_ + dissipated.driven, dissipated.total());
}

Snapshot Simulation::snapshot()
{
    Archive archive;
    serialize(archive);
    return {archive.bytes()};
}

void Simulation::restore(const Snapshot& snapshot)
{
    const bool told = start_is_told_;
    Archive archive(snapshot.bytes);
    serialize(archive);
    start_is_told_ = told;
}

} // namespace rubato
