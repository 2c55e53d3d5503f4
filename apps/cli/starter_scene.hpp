#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rubato::cli {

/// A scene to begin with: a body of soft rubber that falls on the ground and bounces, or hangs from its top.
struct StarterScene {
    std::string name; ///< of the scene and the body
    std::filesystem::path mesh; ///< tetrahedra
    std::filesystem::path surface = {}; ///< what is shown; empty: the boundary of the tetrahedra
    std::string kind = "fall"; ///< one of starter_kinds()
};

const std::vector<std::string>& starter_kinds();

/// Its text; files are named as seen from the folder of `scene_file`.
std::string text(const StarterScene& starter, const std::filesystem::path& scene_file);

} // namespace rubato::cli
