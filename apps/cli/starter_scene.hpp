#pragma once

#include <filesystem>
#include <string>

namespace rubato::cli {

/// A scene to begin with: a body of soft rubber, one metre long, that hangs from its top.
struct StarterScene {
    std::string name; ///< of the scene and the body
    std::filesystem::path mesh; ///< tetrahedra
    std::filesystem::path surface; ///< what is shown; empty: the boundary of the tetrahedra
};

/// Its text; files are named as seen from the folder of `scene_file`.
std::string text(const StarterScene& starter, const std::filesystem::path& scene_file);

} // namespace rubato::cli
