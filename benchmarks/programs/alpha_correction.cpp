/// What the correction of A-search costs. From each state of a run both implicit Euler and A-search propose a step, so
/// that the Newton iterations are the same; the run goes on with what A-search proposed.
///
///     alpha_correction SCENE [steps=N] [threads=N] [PATH=VALUE]...
///
/// Prints one line of CSV: processor seconds of both and their ratio. The two take turns in going first.
#include "scene_arguments.hpp"

#include <fmt/format.h>

#include <ctime>
#include <stdexcept>

namespace {

using namespace rubato;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::unique_ptr<Integrator> made(const std::string& name)
{
    const IntegratorEntry& entry = integrator_named(name);
    return entry.make(defaults(entry.options));
}

int run(SceneArguments arguments)
{
    BuiltScene& built = arguments.scene;
    const long steps = arguments.steps > 0 ? arguments.steps : 100;
    Dynamics& dynamics = *built.dynamics;
    State now = built.start, next, other;
    dynamics.prescribe(now);
    EnergyLedger ledger
        = EnergyLedger::opened(dynamics.potential_energy(now.t, now.x).total() + dynamics.kinetic_energy(now.v));
    const auto euler = made("implicit-euler"), search = made("a-search");

    double seconds[2] = {0, 0};
    long newton[2] = {0, 0};
    const auto timed = [&](int which, Integrator& integrator, State& end) {
        const double began = processor_seconds();
        dynamics.begin_step(now, built.step);
        const StepOutcome outcome = integrator.step({dynamics, now, built.step, ledger}, end);
        seconds[which] += processor_seconds() - began;
        newton[which] += outcome.solve.iterations;
        if (outcome.status != StepStatus::ok) throw std::runtime_error("a step failed");
        return outcome;
    };
    for (long k = 0; k < steps; ++k) {
        StepOutcome outcome;
        if (k % 2 == 0) timed(0, *euler, other);
        outcome = timed(1, *search, next);
        if (k % 2 != 0) timed(0, *euler, other);
        dynamics.prescribe(next);
        search->accept(now, next); // what it remembers saves a gradient
        ledger.book(now.t, next.t, dynamics.injected(now, next), outcome.dissipated);
        std::swap(now, next);
    }
    fmt::print("scene,unknowns,steps,newton_euler,newton_search,cpu_euler,cpu_search,ratio\n");
    fmt::print("{},{},{},{},{},{:.3f},{:.3f},{:.4f}\n", arguments.name, dynamics.unknowns(), steps, newton[0],
        newton[1], seconds[0], seconds[1], seconds[1] / seconds[0]);
    return 0;
}

} // namespace

int main(int argc, char** argv) { return rubato::guarded(run, argc, argv); }
