#include "scene/scene.hpp"

#include "base/input_file.hpp"
#include "scene/format.hpp"

#include <fmt/format.h>

namespace rubato {

namespace fs = std::filesystem;

namespace {

Scene scene_in(Document document, const fs::path& folder, const std::vector<Override>& overrides)
{
    if (document.root.kind == Value::Kind::object) {
        for (const Override& o : overrides) set_value(document, o.path, o.value, o.origin);
        // A scene that does not say its name is called like its file.
        if (!document.root.find("name")) {
            Value name{.kind = Value::Kind::text, .line = document.root.line};
            name.text = fs::path(document.file).stem().string();
            document.root.members.emplace_back("name", std::move(name));
        }
    }
    return {document.file, folder, validated(document, scene_family())};
}

bool looks_like_path(const std::string& text) { return text.find('/') != std::string::npos || text.ends_with(".json"); }

} // namespace

std::string Scene::text() const { return written(root, scene_family()); }

Vec3 Scene::up() const
{
    const Vec3& g = root.options.vec3("gravity");
    return g.isZero(0) ? Vec3(0, 1, 0) : Vec3(-g);
}

Scene scene_from_text(
    const std::string& text, const std::string& file, const fs::path& folder, const std::vector<Override>& overrides)
{
    return scene_in(parsed_document(text, file), folder, overrides);
}

Scene scene_from_file(const fs::path& file, const std::vector<Override>& overrides)
{
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) {
        throw InputError(Mistake{.file = file.string(), .message = "is a folder; a scene is a .json file"});
    }
    if (const std::string why = why_unreadable(file); !why.empty()) {
        const bool pipe = fs::is_fifo(file, ignored); // as of a shell's <(command)
        refuse_file(file, why + (pipe ? ": write the scene to a file first" : ""));
    }
    Document document;
    try {
        document = document_from_file(file.string());
    } catch (const InputError&) {
        const std::string kind = file.extension().string();
        if (kind != ".msh" && kind != ".obj") throw;
        throw InputError(Mistake{.file = file.string(),
            .message = "this looks like a mesh, not a scene; a scene is a .json file that names its meshes"});
    }
    return scene_in(std::move(document), file.parent_path(), overrides);
}

Scene scene_named(const std::string& name_or_path, const std::vector<Override>& overrides)
{
    std::error_code ignored;
    if (looks_like_path(name_or_path) || fs::is_regular_file(name_or_path, ignored)) {
        return scene_from_file(name_or_path, overrides);
    }
    std::vector<std::string> names;
    for (const BuiltinScene& scene : builtin_scenes()) {
        if (scene.name == name_or_path) {
            return scene_from_text(std::string(scene.text), std::string(scene.file), fs::path(), overrides);
        }
        names.emplace_back(scene.name);
    }
    const std::string best = closest(name_or_path, names);
    throw InputError(Mistake{.value = '"' + name_or_path + '"',
        .message = "neither a file nor a built-in scene"
            + (best.empty() ? std::string("; the command 'scenes' lists them")
                            : fmt::format("; did you mean '{}'?", best))});
}

} // namespace rubato
