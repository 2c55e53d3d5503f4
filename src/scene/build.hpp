#pragma once

#include "contact/contact.hpp"
#include "dynamics/step_controller.hpp"
#include "geometry/skin.hpp"
#include "geometry/tet_mesh.hpp"
#include "integrators/catalog.hpp"
#include "scene/energy.hpp"
#include "scene/obstacle_catalog.hpp"
#include "scene/parameters.hpp"
#include "scene/scene.hpp"
#include "scene/selection.hpp"
#include "simulation/simulation.hpp"
#include "solvers/cpu_dynamics.hpp"

#include <memory>
#include <string>
#include <vector>

/// From a scene to what moves: meshes are made and placed, nodes selected, potentials and integrators taken from their
/// catalogs.
namespace rubato {

/// A body after its mesh was placed. Nodes and tetrahedra are ranges of the whole scene's.
struct PlacedBody {
    std::string name;
    std::string family = {}; ///< name in the scene file; differs from its own name if it is one of several copies
    std::size_t block = 0; ///< which of the scene's bodies describes it
    Index first_node = 0, nodes = 0;
    Index first_tet = 0, tets = 0;
    double mass = 0; ///< [kg]
    double volume = 0; ///< of the rest shape [m^3]
    std::map<std::string, std::vector<Index>> groups; ///< node numbers within the body
};

/// An obstacle after it was placed. Its nodes come after those of all bodies, have no mass, and follow its motion.
struct PlacedObstacle {
    std::string name;
    std::size_t block = 0; ///< which of the scene's obstacles describes it
    std::optional<HalfSpace> half_space = {}; ///< then it has no nodes
    double radius = 0; ///< its surface lies this far from its nodes, edges and faces [m]
    Index first_node = 0, nodes = 0; ///< that touch
    Index shown_nodes = 0; ///< behind these, only to be seen
    Index turning = -1; ///< behind all: the node that stands for its turning (decision 0021), if it is round and turns
    std::vector<Edge> edges = {}; ///< of a thing without faces; node numbers of the scene
    std::vector<Triangle> faces = {}; ///< node numbers of the scene
    std::shared_ptr<const Motion> motion = {};
};

/// A file the scene reads, and the name that its copy gets in a run directory.
struct SceneFile {
    std::filesystem::path source;
    std::string copy;
};

/// All bodies and obstacles of a scene and the state they start in.
struct Bodies {
    TetMesh mesh; ///< placed rest shapes of all bodies, then obstacles; the groups of body b are called b.group
    std::vector<PlacedBody> bodies;
    std::vector<PlacedObstacle> obstacles;
    Skin skin; ///< what is shown
    Vector nodal_mass; ///< [kg]; zero for obstacles
    Vector X, x, v; ///< rest positions, positions and velocities at the start
    std::vector<std::string> notes; ///< what the user should know of the meshes
    std::vector<SceneFile> material_files; ///< that the shown surfaces name

    SelectableNodes selectable() const;
    Index body_nodes() const; ///< how many nodes belong to bodies: the first ones
};

/// How many nodes a block of the scene got hold of.
struct SelectionCount {
    std::string key; ///< of the block, e.g. fixed[0]
    std::size_t nodes = 0;
};

/// A scene that is ready to run.
struct BuiltScene {
    std::string name;
    std::vector<PlacedBody> bodies;
    std::vector<PlacedObstacle> obstacles;
    TetMesh mesh; ///< of all bodies, at rest; behind their nodes those of obstacles
    Index body_nodes = 0; ///< how many nodes belong to bodies: the first ones
    Skin skin; ///< what is shown of bodies and obstacles
    std::optional<ContactOptions> contact; ///< values in use; none: everything passes through everything
    std::string contact_line; ///< the same for people
    std::vector<Triangle> collision_faces; ///< all that touch, of bodies and obstacles; node numbers of the scene
    std::unique_ptr<CpuDynamics> dynamics;
    std::shared_ptr<SceneParameters> parameters; ///< that can be changed while it runs
    State start;
    std::unique_ptr<Integrator> integrator;
    const IntegratorEntry* integrator_entry = nullptr;
    int method_order = 1; ///< of accuracy of the integrator
    std::unique_ptr<StepController> controller;
    std::unique_ptr<EnergyTarget> target; ///< null if the integrator aims at none
    std::optional<double> ground; ///< energy at rest [J], if it was given or had to be found
    GroundKind ground_kind = GroundKind::given;
    int ground_iterations = 0; ///< Newton iterations of the search for it
    double step = 0, duration = 0; ///< [s]
    Vec3 gravity_zero = Vec3::Zero(); ///< [m]
    std::vector<SceneFile> files;
    std::vector<SelectionCount> selections; ///< of fixed and scripted nodes, forces and attachments
    std::vector<std::string> notes; ///< what is allowed but may not be what was meant

    Simulation simulation(); ///< of it from its start; must not outlive it
    double mass() const; ///< [kg]
    long expected_steps() const; ///< with steps of the length the scene asks for
    double expected_last_step() const; ///< [s]; equal to `step` unless the duration is no multiple of it
};

/// The name of the copy that a run directory keeps of the file of this block, of one of the scene's bodies or
/// obstacles. A file that is such a copy already keeps its name.
std::string copy_name(const Scene& scene, const Block& block);

/// Builds a scene. Throws InputError with every mistake that can be seen at once. Without a search for the ground level
/// a target that needs one is left out: enough to look at a scene, not to run it.
BuiltScene built(const Scene& scene, GroundSearch search = GroundSearch::when_needed);

/// The scene as a run directory keeps it: what was found out while building written out, files by the names of their
/// copies. Run from there it gives the same results.
Scene resolved_scene(Scene scene, const BuiltScene& built);

// The parts of build.cpp. Each adds to `mistakes` and goes on as far as it makes sense.

/// The obstacles of a scene, in its order.
std::vector<ObstacleShape> obstacle_shapes(const Scene& scene, std::vector<Mistake>& mistakes);

/// Makes, places, deforms and sets in motion the bodies of a scene. Those strewn at random stay clear of obstacles.
Bodies placed_bodies(const Scene& scene, const std::vector<ObstacleShape>& obstacles, std::vector<Mistake>& mistakes);

/// Puts obstacles behind the bodies.
void add_obstacles(
    const Scene& scene, const std::vector<ObstacleShape>& shapes, Bodies& all, std::vector<Mistake>& mistakes);

/// How high a level half-space lies along up, the highest if there are several [m]; none: there is no such ground.
std::optional<double> ground_height(const Scene& scene);

/// The nodes that a selection block names; an empty selection is a mistake.
std::vector<Index> selected_nodes(const Block& selection, const Bodies& bodies, std::vector<Mistake>& mistakes);

/// Fixed and scripted nodes, and all those of obstacles.
Prescription prescription_of(const Scene& scene, const Bodies& bodies, std::vector<Mistake>& mistakes);

/// Everything with an energy: elasticity of the bodies, springs, gravity, forces, attachments.
std::vector<std::unique_ptr<Potential>> potentials_of(
    const Scene& scene, const Bodies& bodies, const Vec3& gravity_zero, std::vector<Mistake>& mistakes);

} // namespace rubato
