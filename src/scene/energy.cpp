#include "scene/energy.hpp"

#include "control/energy_catalog.hpp"
#include "integrators/catalog.hpp"
#include "scene/format.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rubato {

namespace {

bool expects_target_error(const Scene& scene)
{
    const Options& expect = scene.root.part("expect").options;
    return expect.has("target_error") || expect.has("target_error_last");
}

/// Energy of the scene at rest at t = 0 [J]. The rest shapes are the better place to begin, since a start may be
/// inverted or far away; but scripted nodes may have to go a long way from there, and then the start is nearer.
double ground_level(CpuDynamics& dynamics, const std::vector<Vec3>& X, const State& start, const Block& energy)
{
    Vector x(start.x.size()), y;
    for (std::size_t i = 0; i < X.size(); ++i) node(x, static_cast<Index>(i)) = X[i];
    SolveReport report = dynamics.rest(start.t, x, y);
    if (!report.ok()) report = dynamics.rest(start.t, start.x, y);
    const double ground = report.ok() ? dynamics.potential_energy(start.t, y).total() : 0;
    if (report.ok() && std::isfinite(ground)) return ground;
    throw InputError(energy.place_of("ground").mistake("",
        fmt::format(
            "is not given, and no state of rest was found to take it from: {}. Give it [J]; where nothing holds "
            "a body that falls, there is no such state",
            text(report.reason))));
}

} // namespace

SceneEnergy scene_energy(
    const Scene& scene, CpuDynamics& dynamics, const std::vector<Vec3>& X, const State& start, GroundSearch search)
{
    const Block& block = scene.root.part("energy");
    const EnergyTargetEntry& entry = entry_of(energy_target_catalog(), block);
    const bool needed = entry.needs_ground(block.options);
    SceneEnergy out;
    if (block.options.has("ground")) {
        out.ground = block.options.real("ground");
    } else if (search == GroundSearch::when_needed && (needed || expects_target_error(scene))) {
        out.ground = ground_level(dynamics, X, start, block);
    }
    if (needed && !out.ground) return out;
    const EnergyLevels levels{
        .initial = dynamics.potential_energy(start.t, start.x).total() + dynamics.kinetic_energy(start.v),
        .ground = out.ground.value_or(0),
    };
    try {
        out.target = entry.make(block.options, levels);
    } catch (const InputError& error) {
        throw InputError(placed(error, block));
    }
    if (block.options.has("scale") && block.options.real("scale") < 1
        && out.target->first(levels.initial) > levels.initial) {
        out.notes.push_back(
            fmt::format("{}.scale below 1 raises the target: the total energy at the start is {:.6g} J, less than "
                        "nothing; choose another gravity_zero, or a curve in fractions",
                block.place.key, levels.initial));
    }
    return out;
}

std::vector<std::string> energy_notes(const Scene& scene)
{
    const Block& energy = scene.root.part("energy");
    const EnergyTargetEntry& entry = entry_of(energy_target_catalog(), energy);
    const Block& integrator = scene.root.part("integrator");
    if (entry_of(integrator_catalog(), integrator).aims_at_target) return {};
    const bool by_default
        = energy.type == energy_target_catalog().front().name && energy.options.all() == defaults(entry.options).all();
    if (by_default) return {};
    return {fmt::format("{} has no effect: {} does not aim at an energy", energy.place.key, integrator.type)};
}

} // namespace rubato
