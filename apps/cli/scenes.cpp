#include "commands.hpp"

#include <fmt/format.h>

#include <iostream>

namespace rubato::cli {

void add_scenes(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand("scenes", "List the built-in scenes");
    command->callback([&status] {
        for (const BuiltinScene& builtin : builtin_scenes()) {
            const Scene scene = scene_named(std::string(builtin.name));
            std::cout << fmt::format("{:<26} {}\n", builtin.name, scene.root.options.text("summary"));
        }
        std::cout << "\n" << called_as() << " run NAME simulates one; their files are in scenes/ of the source.\n";
        status = done;
    });
}

} // namespace rubato::cli
