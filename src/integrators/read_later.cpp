#include "integrators/read_later.hpp"

#include "integrators/exact_gravity.hpp"

namespace rubato {

/// v -> u,    (x', u') = one step of the method from (x, u),    u' -> v'
StepOutcome ReadLater::step(const StepRequest& r, State& next)
{
    inner_ = r.now;
    reading_->inner(r, inner_.v);
    const StepOutcome outcome = method_->step({r.dynamics, inner_, r.h, r.ledger, reading_.get(), &r.now}, next);
    if (outcome.status == StepStatus::ok) reading_->read(r, next);
    return outcome;
}

OptionSpec ReadLater::exact_gravity_option()
{
    return {.name = "exact_gravity",
        .type = OptionType::flag,
        .fallback = false,
        .summary = "read velocities half a step later under gravity, so that free fall keeps its energy"};
}

std::unique_ptr<Integrator> ReadLater::as_asked(const Options& options, std::unique_ptr<Integrator> method)
{
    if (!options.flag("exact_gravity")) return method;
    return std::make_unique<ReadLater>(std::move(method), std::make_unique<ExactGravity>());
}

} // namespace rubato
