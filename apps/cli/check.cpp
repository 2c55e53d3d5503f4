#include "commands.hpp"

#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace rubato::cli {

namespace {

int check(const SceneArguments& arguments)
{
    const Scene scene = arguments.read();
    const BuiltScene built = rubato::built(scene);
    std::cout << "OK: " << built.name << '\n';
    for (const PlacedBody& body : built.bodies) {
        std::cout << fmt::format("  body '{}': {} nodes, {} tetrahedra, {:.6g} kg, {:.6g} m^3\n", body.name, body.nodes,
            body.tets, body.mass, body.volume);
    }
    const auto held = built.dynamics->system().prescription.unknowns().size();
    std::cout << fmt::format("  {} unknowns, {} of them prescribed\n", built.dynamics->unknowns(), held);
    std::cout << fmt::format(
        "  {}: {} steps of {:.6g} s\n", built.integrator_entry->name, built.expected_steps(), built.step);
    return done;
}

} // namespace

void add_check(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<SceneArguments>();
    CLI::App* command = app.add_subcommand("check", "Say whether a scene can be run; if not, every mistake at once");
    arguments->declare(*command);
    command->callback([arguments, &status] { status = check(*arguments); });
}

} // namespace rubato::cli
