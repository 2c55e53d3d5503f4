#include "starter_scene.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cctype>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

/// As JSON text; bytes that are no text become question marks.
std::string quoted(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A file name as JSON text, as seen from the folder of the scene.
std::string quoted(const fs::path& file, const fs::path& scene_file)
{
    const fs::path folder = scene_file.has_parent_path() ? scene_file.parent_path() : fs::path(".");
    return quoted(fs::proximate(file, folder).generic_string());
}

/// Only what the name of a run directory may hold.
std::string scene_name(std::string name)
{
    for (char& c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '-';
    }
    return name.empty() ? "body" : name;
}

} // namespace

std::string text(const StarterScene& starter, const fs::path& scene_file)
{
    const std::string surface = starter.surface.empty()
        ? std::string()
        : fmt::format("      \"surface\": {{\"path\": {}}},\n", quoted(starter.surface, scene_file));
    // A rod of density rho and length L that hangs stretches by rho g L^2 / (2 E): 5 % here.
    return fmt::format(R"({{
  "name": {0},
  "summary": {1},
  "time": {{"step": "1/60", "duration": 3}},
  "integrator": "bdf2",
  "bodies": [
    {{
      "name": {0},
      "mesh": {{"type": "file", "path": {2}}},
{3}      // The longest edge of its bounding box [m]; its coordinates are taken as they are without this line.
      "size": 1,
      "density": 1000,
      "material": {{"type": "stable-neo-hookean", "young": 1e5, "poisson": 0.4}}
    }}
  ],
  // The top tenth; y is up. Another part: "direction": [1, 0, 0], or {{"type": "box", ...}}.
  "fixed": [{{"nodes": {{"type": "end", "direction": [0, 1, 0], "fraction": 0.1}}}}],
  "output": {{"frames_per_second": 30, "formats": ["vtu", "obj"]}}
}}
)",
        quoted(scene_name(starter.name)), quoted(starter.name + " hangs from its top."),
        quoted(starter.mesh, scene_file), surface);
}

} // namespace rubato::cli
