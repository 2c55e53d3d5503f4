#pragma once

#include "scene/schema.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// A scene, checked and complete. `root` is a block of scene_family().
struct Scene {
    std::string file; ///< as messages name it
    std::filesystem::path folder; ///< mesh files are relative to it
    Block root;

    const std::string& name() const { return root.options.text("name"); }
    std::string text() const; ///< JSON with every default written out
    Vec3 up() const; ///< against gravity; y without gravity
};

/// A value from the command line that replaces one in the scene.
struct Override {
    std::string path; ///< e.g. time.step
    std::string value; ///< JSON, or plain text
    std::string origin; ///< the option to name in mistakes, e.g. "--set"
};

/// All of these throw InputError with every mistake at once.
Scene scene_from_text(const std::string& text, const std::string& file, const std::filesystem::path& folder,
    const std::vector<Override>& overrides = {});
Scene scene_from_file(const std::filesystem::path& file, const std::vector<Override>& overrides = {});

/// A scene that comes with the program: every file in scenes/ is one.
struct BuiltinScene {
    std::string_view name; ///< file name without .json
    std::string_view file; ///< path in the repository
    std::string_view text;
};
const std::vector<BuiltinScene>& builtin_scenes();

/// By path, if such a file exists or the text looks like a path; otherwise a built-in scene of this name.
Scene scene_named(const std::string& name_or_path, const std::vector<Override>& overrides = {});

} // namespace rubato
