#include "scene/build.hpp"

#include "control/catalog.hpp"
#include "scene/contact.hpp"
#include "scene/damping_catalog.hpp"
#include "scene/format.hpp"
#include "scene/mesh_catalog.hpp"
#include "scene/motion_catalog.hpp"
#include "solvers/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rubato {

namespace {

/// The lowest point of the rest shapes, down being where gravity points.
Vec3 lowest_point(const std::vector<Vec3>& X, const Vec3& g)
{
    Vec3 lowest = X.front();
    for (const Vec3& p : X) {
        if (g.dot(p) > g.dot(lowest)) lowest = p;
    }
    return lowest;
}

/// Where the energy of gravity is zero: at the level ground, or where there is none at the lowest point of the rest
/// shapes, unless the scene says otherwise.
Vec3 gravity_zero(const Scene& scene, const std::vector<Vec3>& X)
{
    const Options& root = scene.root.options;
    if (root.has("gravity_zero")) return root.vec3("gravity_zero");
    const Vec3& g = root.vec3("gravity");
    const std::optional<double> ground = g.isZero(0) ? std::nullopt : ground_height(scene);
    if (!ground) return lowest_point(X, g);
    return *ground * scene.up().normalized() + Vec3::Zero(); // 0, not -0
}

/// The blocks of a scene's bodies, then of its obstacles, that name a file, in the order of the scene.
template <class AnyBlock>
std::vector<AnyBlock*> blocks_with_file(AnyBlock& root)
{
    std::vector<AnyBlock*> found;
    for (auto& body : root.parts.at("bodies")) {
        for (const char* part : {"mesh", "surface"}) {
            if (!body.has(part)) continue;
            AnyBlock& block = body.parts.at(part).front();
            if (block.options.has("path")) found.push_back(&block);
        }
    }
    for (auto& obstacle : root.parts.at("obstacles")) {
        if (obstacle.options.has("path")) found.push_back(&obstacle);
    }
    return found;
}

std::vector<SceneFile> files_of(const Scene& scene)
{
    std::vector<SceneFile> files;
    for (const Block* block : blocks_with_file(scene.root)) {
        files.push_back({scene.folder / block->options.text("path"), copy_name(scene, *block)});
    }
    return files;
}

std::vector<SelectionCount> selections_of(const Scene& scene, const Bodies& bodies)
{
    std::vector<Mistake> told_before;
    std::vector<SelectionCount> counts;
    for (const char* list : {"fixed", "scripted", "forces", "attachments"}) {
        for (const Block& block : scene.root.list(list)) {
            counts.push_back({block.place.key, selected_nodes(block.part("nodes"), bodies, told_before).size()});
        }
    }
    return counts;
}

std::vector<std::string> notes_of(const Scene& scene, double step)
{
    std::vector<std::string> notes;
    for (const Block& block : scene.root.list("forces")) {
        const Block& profile = block.part("profile");
        const ForceProfileEntry& entry = entry_of(force_profile_catalog(), profile);
        if (!entry.length) continue;
        const double length = entry.length(profile.options);
        if (length < (1 - 1e-6) * step) { // not by round-off only
            notes.push_back(
                fmt::format("{} changes within {:.6g} s, less than a step of {:.6g} s; its mean over the step acts",
                    profile.place.key, length, step));
        }
    }
    for (const char* list : {"scripted", "attachments", "obstacles"}) {
        for (const Block& block : scene.root.list(list)) {
            if (!block.has("motion")) continue;
            const Block& motion = block.part("motion");
            const MotionEntry& entry = entry_of(motion_catalog(), motion);
            if (!entry.turns_within) continue;
            const double length = entry.turns_within(motion.options);
            if (length < (1 - 1e-6) * step) {
                notes.push_back(
                    fmt::format("{} turns within {:.6g} s, less than a step of {:.6g} s; a motion that reverses "
                                "between the ends of a step is missed. Try a shorter step",
                        motion.place.key, length, step));
            }
        }
    }
    return notes;
}

double elastic_energy(const System& system, const Vector& x)
{
    double energy = 0;
    Assembly sink{.value = &energy};
    for (const auto& potential : system.potentials) {
        if (potential->kind() == EnergyKind::elastic) potential->add(x, 0, sink);
    }
    return energy;
}

/// Contact as terms of the system, and what the scene tells of it.
void add_contact(const Scene& scene, const Bodies& bodies, SceneContact contact, System& system, BuiltScene& out)
{
    require_apart(scene, bodies, contact);
    out.notes = choose_dhat_for_start(scene, bodies, elastic_energy(system, bodies.x), contact);
    out.contact = contact.options;
    out.contact_line = contact_line(contact);
    out.collision_faces = contact.surface.faces;
    for (std::string& note : contact_notes(contact)) out.notes.push_back(std::move(note));
    ContactTerms terms = contact_terms(std::move(contact.surface), std::move(contact.rules), contact.options, bodies.X);
    double energy = 0;
    Assembly sink{.value = &energy};
    terms.barrier->add(bodies.x, 0, sink);
    if (!std::isfinite(energy)) {
        throw InputError(scene.root.place.mistake(
            "", "surfaces touch each other exactly at the start; leave a gap between bodies, and to obstacles"));
    }
    system.potentials.push_back(std::move(terms.barrier));
    if (terms.friction) system.dissipations.push_back(std::move(terms.friction));
}

void know_ground(const GroundLevel& ground, BuiltScene& out)
{
    out.ground = ground.energy;
    out.ground_kind = ground.kind;
    out.ground_iterations = ground.iterations;
}

/// Throws InputError if the solver of a scene cannot do what the scene is made of.
std::unique_ptr<CpuDynamics> dynamics_of(const Block& block, System system, const SolverUse& use)
{
    const SolverEntry& entry = entry_of(solver_catalog(), block);
    const SolverEntry& first = solver_catalog().front();
    std::unique_ptr<StageSolver> solver = entry.make(block.options, use), searcher;
    std::vector<Mistake> mistakes;
    for (const Refusal& refusal : solver->refusals(system)) {
        mistakes.push_back(block.place.mistake(
            entry.name, fmt::format("cannot solve for the term '{}': {}", refusal.term, refusal.why)));
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    if (!entry.minimises) searcher = first.make(defaults(first.options), use);
    return std::make_unique<CpuDynamics>(std::move(system), std::move(solver), std::move(searcher));
}

void throw_if_any(std::vector<Mistake>& mistakes)
{
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

} // namespace

std::string copy_name(const Scene& scene, const Block& block)
{
    const std::vector<const Block*> blocks = blocks_with_file(scene.root);
    const auto number = std::find(blocks.begin(), blocks.end(), &block) - blocks.begin();
    const std::filesystem::path path = block.options.text("path");
    const std::string name = path.filename().string(), prefix = fmt::format("{}-", number);
    const bool copied = path.parent_path() == "meshes" && name.starts_with(prefix);
    return "meshes/" + (copied ? name : prefix + name);
}

double BuiltScene::mass() const
{
    double sum = 0;
    for (const PlacedBody& body : bodies) sum += body.mass;
    return sum;
}

long BuiltScene::expected_steps() const { return std::max(1L, static_cast<long>(std::ceil(duration / step - 1e-6))); }

double BuiltScene::expected_last_step() const
{
    const double last = duration - static_cast<double>(expected_steps() - 1) * step;
    return last < (1 - 1e-6) * step ? last : step;
}

Simulation BuiltScene::simulation()
{
    if (integrator_entry->aims_at_target && !target) throw std::logic_error("a scene built to be looked at cannot run");
    Simulation simulation(*dynamics, *integrator, *controller, start, target.get());
    simulation.set_order(method_order);
    simulation.let_change([of_scene = parameters](const Edit& edit) { return of_scene->set(edit); });
    return simulation;
}

BuiltScene built(const Scene& scene, GroundSearch search)
{
    const Block& root = scene.root;
    std::vector<Mistake> mistakes;
    const std::vector<ObstacleShape> obstacles = obstacle_shapes(scene, mistakes);
    Bodies bodies = placed_bodies(scene, obstacles, mistakes);
    throw_if_any(mistakes);

    BuiltScene out;
    out.name = scene.name();
    out.gravity_zero = gravity_zero(scene, bodies.mesh.nodes);
    add_obstacles(scene, obstacles, bodies, mistakes);

    System system;
    system.mass = Mass(bodies.nodal_mass);
    system.X = bodies.X;
    system.prescription = prescription_of(scene, bodies, mistakes);
    // From here on the start is the one the run will see: scripts decide where their nodes are.
    system.prescription.set_positions(0, bodies.x);
    system.prescription.set_velocities(0, bodies.v);
    system.potentials = potentials_of(scene, bodies, out.gravity_zero, mistakes);
    for (const Block& place : root.part("expect").list("places")) selected_nodes(place.part("nodes"), bodies, mistakes);
    std::optional<SceneContact> contact = scene_contact(scene, bodies, system.prescription, mistakes);
    throw_if_any(mistakes);
    if (contact) add_contact(scene, bodies, std::move(*contact), system, out);
    const std::size_t frictions = system.dissipations.size(); // damping comes behind
    for (const Block& block : root.list("damping")) {
        system.dissipations.push_back(entry_of(damping_catalog(), block).make(block.options, system));
    }

    const Block& time = root.part("time");
    out.step = time.options.real("step");
    out.duration = time.options.real("duration");
    const Block& integrator = root.part("integrator");
    const Block& controller = time.part("controller");
    out.integrator_entry = &entry_of(integrator_catalog(), integrator);
    try {
        out.integrator = out.integrator_entry->make(integrator.options);
        out.method_order = out.integrator_entry->order(integrator.options);
        out.controller = entry_of(step_controller_catalog(), controller).make(controller.options, out.step);
    } catch (const InputError& error) {
        throw InputError(placed(error, out.integrator ? controller : integrator));
    }
    out.selections = selections_of(scene, bodies);
    for (std::string& note : bodies.notes) out.notes.push_back(std::move(note));
    for (std::string& note : notes_of(scene, out.step)) out.notes.push_back(std::move(note));
    for (std::string& note : energy_notes(scene)) out.notes.push_back(std::move(note));
    out.dynamics = dynamics_of(root.part("solver"), std::move(system), {out.step, frictions > 0});
    out.parameters = std::make_shared<SceneParameters>(scene, *out.dynamics);
    out.start = State{0, bodies.x, bodies.v};
    if (out.integrator_entry->aims_at_target) {
        PlacedParts placement{bodies.mesh.nodes, bodies.bodies, bodies.obstacles, frictions};
        if (out.contact) placement.friction_speed = out.contact->friction_speed;
        SceneEnergy energy = scene_energy(scene, *out.dynamics, placement, out.start, search);
        out.target = std::move(energy.target);
        if (energy.ground) know_ground(*energy.ground, out);
        for (std::string& note : energy.notes) out.notes.push_back(std::move(note));
    } else if (const Options& energy = root.part("energy").options; energy.has("ground")) {
        know_ground(given_ground(energy), out); // nothing depends on it; the summary of the run names it
    }
    out.body_nodes = bodies.body_nodes();
    out.bodies = std::move(bodies.bodies);
    out.obstacles = std::move(bodies.obstacles);
    out.mesh = std::move(bodies.mesh);
    out.skin = std::move(bodies.skin);
    out.files = files_of(scene);
    out.files.insert(out.files.end(), bodies.material_files.begin(), bodies.material_files.end());
    return out;
}

Scene resolved_scene(Scene scene, const BuiltScene& built)
{
    scene.root.options.set("gravity_zero", built.gravity_zero);
    if (built.ground) {
        Options& energy = scene.root.parts.at("energy").front().options;
        energy.set("ground", *built.ground);
        energy.set("ground_kind", ground_word(built.ground_kind));
    }
    std::size_t next = 0;
    for (Block* block : blocks_with_file(scene.root)) block->options.set("path", built.files.at(next++).copy);
    for (std::size_t i = 0; i < built.obstacles.size(); ++i) {
        scene.root.parts.at("obstacles")[i].options.set("name", built.obstacles[i].name);
    }
    if (built.contact) write_contact_numbers(scene, *built.contact);
    for (Block& body : scene.root.parts.at("bodies")) write_fineness(body.parts.at("mesh").front());
    return scene;
}

} // namespace rubato
