#pragma once

#include "dynamics/energy_target.hpp"
#include "scene/scene.hpp"
#include "solvers/cpu_dynamics.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubato {
struct PlacedBody;
struct PlacedObstacle;
} // namespace rubato

/// The "energy" block of a scene: what the total energy should be.
namespace rubato {

/// Whether the energy of the scene at rest may be looked for. It takes a quasi-static solve.
enum class GroundSearch {
    when_needed, ///< and not given
    never, ///< a target that cannot do without stays unmade
};

/// What a ground level is.
enum class GroundKind {
    given, ///< by the scene
    equilibrium, ///< all forces balance without friction
    friction, ///< where bodies stop when they are let down with friction; others are possible
    bound, ///< where they hardly go on: at rest the scene has no more than this
};

/// The energy that a scene has when everything has come to rest.
struct GroundLevel {
    double energy = 0; ///< [J]
    GroundKind kind = GroundKind::given;
    int iterations = 0; ///< Newton iterations of the search
};

struct SceneEnergy {
    std::unique_ptr<EnergyTarget> target; ///< null only if the ground level is needed and was not looked for
    std::optional<GroundLevel> ground; ///< if it was given or found
    std::vector<std::string> notes = {}; ///< what is allowed but may not be what was meant
};

/// What is where: the rest shapes of bodies, then the nodes of obstacles, as they were placed. And what holds them.
struct PlacedParts {
    const std::vector<Vec3>& X; ///< [m]
    const std::vector<PlacedBody>& bodies;
    const std::vector<PlacedObstacle>& obstacles;
    std::size_t frictions = 0; ///< the first so many dissipations of the system are dry friction
    double friction_speed = 1e-3; ///< below it friction grows smoothly from zero [m/s]
};

/// Looks for the energy at rest, from the rest shapes and from the start, with scripts, attachments and forces as they
/// are at t = 0. Throws InputError, at the option "ground", if the scene never comes to rest. `ground_level.cpp`.
GroundLevel ground_level(const Scene& scene, CpuDynamics& dynamics, const PlacedParts& placement, const State& start);

/// The target that a scene asks for. `start`: how the scene starts. Throws InputError if the ground level is needed,
/// not given, and not found.
SceneEnergy scene_energy(
    const Scene& scene, CpuDynamics& dynamics, const PlacedParts& placement, const State& start, GroundSearch search);

/// The ground level that an energy block has.
GroundLevel given_ground(const Options& energy);

/// The word for it in files.
std::string ground_word(GroundKind kind);

/// A sentence if the scene asks for an energy that its integrator does not aim at; else nothing.
std::vector<std::string> energy_notes(const Scene& scene);

} // namespace rubato
