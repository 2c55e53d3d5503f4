#include "lab/run.hpp"

#include "control/fixed.hpp"
#include "integrators/catalog.hpp"

#include <stdexcept>

namespace rubato {

namespace {

class Watcher final : public Observer {
public:
    explicit Watcher(const std::function<void(const StepRecord&)>& watch)
        : watch_(watch)
    {
    }
    void step(const StepRecord& record) override { watch_(record); }

private:
    const std::function<void(const StepRecord&)>& watch_;
};

} // namespace

std::unique_ptr<Integrator> integrator_of(const Method& method)
{
    const IntegratorEntry& entry = integrator_named(method.name);
    Options options = defaults(entry.options);
    for (const auto& [name, value] : method.options) {
        if (!options.has(name)) throw std::logic_error(method.name + " has no option " + name);
        options.set(name, value);
    }
    return entry.make(options);
}

RunResult run_problem(LabProblem& problem, const Method& method, double h, double duration,
    const std::function<void(const StepRecord&)>& watch, const EnergyTarget* target)
{
    const auto integrator = integrator_of(method);
    FixedStep controller(h);
    Simulation simulation(*problem.dynamics, *integrator, controller, problem.start, target);
    Watcher watcher(watch);
    simulation.observe(watcher);
    return simulation.run(problem.start.t + duration);
}

State final_state(LabProblem& problem, const Method& method, double h, double duration)
{
    State last;
    const RunResult result
        = run_problem(problem, method, h, duration, [&](const StepRecord& record) { last = record.state; });
    if (!result.finished) throw std::runtime_error(method.title() + ": " + result.why);
    return last;
}

} // namespace rubato
