#include "mesh_input.hpp"

#include "base/errors.hpp"
#include "base/options.hpp"
#include "geometry/fields/blobs.hpp"
#include "geometry/fields/solid_catalog.hpp"
#include "geometry/files/formats.hpp"
#include "scene/document.hpp"
#include "scene/mesh_catalog.hpp"
#include "scene/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

/// Options of a solid from the command line, checked as those of a scene are.
Options options_of(const SolidEntry& solid, const std::vector<std::string>& settings)
{
    Document document = parsed_document("{}", "--set");
    for (const std::string& setting : settings) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw InputError(Mistake{.file = "--set", .value = setting, .message = "must be OPTION=VALUE"});
        }
        set_value(document, setting.substr(0, equals), setting.substr(equals + 1), "--set");
    }
    const ObjectFamily family{.name = solid.name,
        .summary = solid.summary,
        .specs = {{.name = "", .summary = solid.summary, .options = solid.options}},
        .typed = false};
    return validated(document, family).options;
}

MeshInput from_file(const fs::path& file)
{
    const std::string name = file.stem().string();
    if (file.extension() == ".blobs") {
        return {name, file.string(), std::make_unique<BlobField>(read_blobs(file))};
    }
    AnyMesh mesh = read_any(file);
    if (TetMesh* tets = std::get_if<TetMesh>(&mesh)) return {name, file.string(), std::move(*tets)};
    return {name, file.string(), std::move(std::get<Surface>(mesh))};
}

} // namespace

std::vector<std::string> body_names()
{
    std::vector<std::string> names;
    for (const SolidEntry& solid : solid_catalog()) names.push_back(solid.name);
    for (const BuiltinBody& body : builtin_bodies()) names.emplace_back(body.name);
    return names;
}

MeshInput mesh_input(const std::string& what, const std::vector<std::string>& settings)
{
    for (const SolidEntry& solid : solid_catalog()) {
        if (solid.name == what) return {what, "", solid.make(options_of(solid, settings))};
    }
    if (!settings.empty()) {
        throw InputError(Mistake{.file = "--set",
            .value = settings.front(),
            .message = fmt::format("is for solids like '{}'; {} has no options", solid_catalog().front().name, what)});
    }
    std::error_code ignored;
    if (fs::is_directory(what, ignored)) {
        throw InputError(Mistake{.file = what, .message = "is a folder; a mesh is a file"});
    }
    if (fs::exists(what, ignored)) return from_file(what);
    for (const BuiltinBody& body : builtin_bodies()) {
        if (body.name == what) return {what, "", builtin_field(what)};
    }
    const std::vector<std::string> names = body_names();
    const std::string best = closest(what, names);
    throw InputError(Mistake{.value = '"' + what + '"',
        .message = fmt::format("neither a file nor a built-in body; the bodies are {}{}", fmt::join(names, ", "),
            best.empty() ? "" : fmt::format("; did you mean '{}'?", best))});
}

} // namespace rubato::cli
