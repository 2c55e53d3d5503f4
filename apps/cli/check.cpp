#include "base/errors.hpp"
#include "commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

namespace rubato::cli {

namespace {

struct CheckArguments {
    SceneArguments scene;
    bool no_ground = false;
};

void tell_body(const PlacedBody& body, const std::vector<Vec3>& nodes)
{
    std::cout << fmt::format("  body '{}': {}, {}, {:.6g} kg, {:.6g} m^3\n", printable(body.name),
        counted(body.nodes, "node", "nodes"), counted(body.tets, "tetrahedron", "tetrahedra"), body.mass, body.volume);
    Vec3 low = nodes[static_cast<std::size_t>(body.first_node)], high = low;
    for (Index i = body.first_node; i < body.first_node + body.nodes; ++i) {
        low = low.cwiseMin(nodes[static_cast<std::size_t>(i)]);
        high = high.cwiseMax(nodes[static_cast<std::size_t>(i)]);
    }
    std::cout << fmt::format("    at rest from [{:.6g}, {:.6g}, {:.6g}] to [{:.6g}, {:.6g}, {:.6g}] m\n", low.x(),
        low.y(), low.z(), high.x(), high.y(), high.z());
    std::vector<std::string> groups;
    for (const auto& [name, members] : body.groups) groups.push_back(printable(name));
    std::cout << fmt::format(
        "    node groups: {}\n", groups.empty() ? "none" : fmt::format("{}", fmt::join(groups, ", ")));
}

/// Of many copies the first ones tell the story.
void tell_bodies(const BuiltScene& built)
{
    constexpr std::size_t most = 3;
    for (std::size_t begin = 0, end = 0; begin < built.bodies.size(); begin = end) {
        while (end < built.bodies.size() && built.bodies[end].block == built.bodies[begin].block) ++end;
        for (std::size_t b = begin; b < std::min(end, begin + most); ++b) tell_body(built.bodies[b], built.mesh.nodes);
        if (end > begin + most) {
            std::cout << fmt::format(
                "  ... and {} more like it, up to '{}'\n", end - begin - most, printable(built.bodies[end - 1].name));
        }
    }
}

void tell_obstacles(const Scene& scene, const BuiltScene& built)
{
    for (const PlacedObstacle& obstacle : built.obstacles) {
        std::cout << fmt::format("  obstacle '{}': {}{}\n", printable(obstacle.name),
            scene.root.list("obstacles")[obstacle.block].type,
            obstacle.faces.empty() ? ""
                                   : fmt::format(", {}, {}", counted(obstacle.nodes, "node", "nodes"),
                                       counted(static_cast<long>(obstacle.faces.size()), "triangle", "triangles")));
    }
    if (built.contact) std::cout << "  contact: " << built.contact_line << '\n';
}

/// The ground level of the energy, and what it took to find it.
void tell_ground(const BuiltScene& built, double seconds)
{
    if (!built.ground) return;
    if (built.ground_iterations == 0)
        return void(std::cout << fmt::format("  ground level: {:.6g} J\n", *built.ground));
    std::cout << fmt::format("  ground level: {:.6g} J ({}), found in {:.2g} s with {}\n", *built.ground,
        ground_word(built.ground_kind), seconds,
        counted(built.ground_iterations, "Newton iteration", "Newton iterations"));
}

int check(const CheckArguments& arguments)
{
    const Scene scene = arguments.scene.read();
    const auto begin = std::chrono::steady_clock::now();
    const BuiltScene built
        = rubato::built(scene, arguments.no_ground ? GroundSearch::never : GroundSearch::when_needed);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::cout << "OK: " << built.name << '\n';
    tell_bodies(built);
    tell_obstacles(scene, built);
    for (const SelectionCount& selection : built.selections) {
        std::cout << fmt::format(
            "  {}: {}\n", selection.key, counted(static_cast<long>(selection.nodes), "node", "nodes"));
    }
    const Eigen::Index unknowns = 3 * Eigen::Index{built.body_nodes}; // of bodies; obstacles come after
    const std::vector<Eigen::Index>& all_held = built.dynamics->system().prescription.unknowns();
    const auto held = std::lower_bound(all_held.begin(), all_held.end(), unknowns) - all_held.begin();
    std::cout << fmt::format("  {} unknowns, {} of them prescribed\n", unknowns, held);
    const double last = built.expected_last_step();
    std::cout << fmt::format("  {}: {} of {:.6g} s{}\n", built.integrator_entry->name,
        counted(built.expected_steps(), "step", "steps"), built.step,
        last < built.step ? fmt::format(", the last shortened to {:.6g} s", last) : "");
    tell_ground(built, seconds.count());
    tell_notes(built);
    return done;
}

} // namespace

void add_check(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<CheckArguments>();
    CLI::App* command = app.add_subcommand("check", "Say whether a scene can be run; if not, every mistake at once");
    arguments->scene.declare(*command);
    command->add_flag("--no-ground", arguments->no_ground, "Do not look for the energy at rest, which a run may need");
    command->callback([arguments, &status] { status = check(*arguments); });
}

} // namespace rubato::cli
