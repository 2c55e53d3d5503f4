#include "scene/energy.hpp"

#include "control/energy_catalog.hpp"
#include "integrators/catalog.hpp"
#include "scene/format.hpp"

#include <fmt/format.h>

namespace rubato {

namespace {

bool expects_target_error(const Scene& scene)
{
    const Options& expect = scene.root.part("expect").options;
    return expect.has("target_error") || expect.has("target_error_last");
}

/// What a person should know of a ground level that is no equilibrium.
std::vector<std::string> ground_notes(const GroundLevel& ground, const std::string& key)
{
    if (ground.kind == GroundKind::bound) {
        return {
            fmt::format("{}.ground: {:.6g} J is a bound: without friction something slides on slowly where the bodies "
                        "come down, and may end lower",
                key, ground.energy)};
    }
    if (ground.kind == GroundKind::friction) {
        return {fmt::format("{}.ground: {:.6g} J is where friction stops the bodies when they are let down from the "
                            "start; it could stop them elsewhere",
            key, ground.energy)};
    }
    return {};
}

} // namespace

GroundLevel given_ground(const Options& energy)
{
    GroundLevel ground{.energy = energy.real("ground")};
    if (!energy.has("ground_kind")) return ground;
    for (const GroundKind kind : {GroundKind::equilibrium, GroundKind::friction, GroundKind::bound}) {
        if (energy.text("ground_kind") == ground_word(kind)) ground.kind = kind;
    }
    return ground;
}

std::string ground_word(GroundKind kind)
{
    switch (kind) {
    case GroundKind::given: return "given";
    case GroundKind::equilibrium: return "equilibrium";
    case GroundKind::friction: return "friction";
    case GroundKind::bound: return "bound";
    }
    return "given";
}

SceneEnergy scene_energy(
    const Scene& scene, CpuDynamics& dynamics, const PlacedParts& placement, const State& start, GroundSearch search)
{
    const Block& block = scene.root.part("energy");
    const EnergyTargetEntry& entry = entry_of(energy_target_catalog(), block);
    const bool needed = entry.needs_ground(block.options);
    SceneEnergy out;
    if (block.options.has("ground")) {
        out.ground = given_ground(block.options);
    } else if (search == GroundSearch::when_needed && (needed || expects_target_error(scene))) {
        out.ground = ground_level(scene, dynamics, placement, start);
    }
    if (out.ground) out.notes = ground_notes(*out.ground, block.place.key);
    if (needed && !out.ground) return out;
    const EnergyLevels levels{
        .initial = dynamics.potential_energy(start.t, start.x).total() + dynamics.kinetic_energy(start.v),
        .ground = out.ground.value_or(GroundLevel{}).energy,
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
