#include "commands.hpp"
#include "scene/format.hpp"
#include "scene/reference.hpp"

#include <iostream>
#include <memory>

namespace rubato::cli {

void add_list(CLI::App& app, int& status)
{
    struct Arguments {
        std::string family;
        bool markdown = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("list", "What there is to choose from: integrators, materials, ...");
    command->add_option("family", arguments->family, "Only this family, with all its options");
    command->add_flag("--markdown", arguments->markdown, "The whole scene format, as docs/scene_format.md");
    command->callback([arguments, &status] {
        const ObjectFamily& root = scene_family();
        if (arguments->markdown) {
            std::cout << format_reference(root);
        } else if (!arguments->family.empty()) {
            std::cout << catalog_page(root, arguments->family);
        } else {
            std::cout << catalog_overview(root) << called_as() << " list FAMILY shows the options.\n";
        }
        status = done;
    });
}

} // namespace rubato::cli
