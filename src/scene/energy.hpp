#pragma once

#include "dynamics/energy_target.hpp"
#include "scene/scene.hpp"
#include "solvers/cpu_dynamics.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The "energy" block of a scene: what the total energy should be.
namespace rubato {

/// Whether the energy of the scene at rest may be looked for. It takes a quasi-static solve.
enum class GroundSearch {
    when_needed, ///< and not given
    never, ///< a target that cannot do without stays unmade
};

struct SceneEnergy {
    std::unique_ptr<EnergyTarget> target; ///< null only if the ground level is needed and was not looked for
    std::optional<double> ground; ///< [J], given or found
    std::vector<std::string> notes = {}; ///< what is allowed but may not be what was meant
};

/// The target that a scene asks for. `X`: the rest shapes; `start`: how the scene starts. Throws InputError if the
/// ground level is needed, not given, and not found.
SceneEnergy scene_energy(
    const Scene& scene, CpuDynamics& dynamics, const std::vector<Vec3>& X, const State& start, GroundSearch search);

/// A sentence if the scene asks for an energy that its integrator does not aim at; else nothing.
std::vector<std::string> energy_notes(const Scene& scene);

} // namespace rubato
