#pragma once

#include "base/types.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace rubato::cli {

/// A scene to begin with: a body of rubber that falls on the ground and bounces, or a soft one that hangs from its top.
struct StarterScene {
    std::string name; ///< of the scene and the body
    std::filesystem::path mesh; ///< tetrahedra
    std::filesystem::path surface = {}; ///< what is shown; empty: the boundary of the tetrahedra
    std::string kind = "fall"; ///< one of starter_kinds()
    bool looks_away = false; ///< from the camera, which is on the side of +z
};

const std::vector<std::string>& starter_kinds();

/// Whether a body with y up turns its back to +z, as far as one can guess: most animals carry their heads in front.
bool looks_away(const std::vector<Vec3>& nodes);

/// Its text; files are named as seen from the folder of `scene_file`.
std::string text(const StarterScene& starter, const std::filesystem::path& scene_file);

} // namespace rubato::cli
