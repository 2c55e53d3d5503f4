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

/// What both kinds of scene say of the body; young: its modulus [Pa].
std::string body(const StarterScene& starter, const fs::path& scene_file, const std::string& placed, const char* young)
{
    const std::string surface = starter.surface.empty()
        ? std::string()
        : fmt::format("      \"surface\": {{\"path\": {}}},\n", quoted(starter.surface, scene_file));
    return fmt::format(R"(  "bodies": [
    {{
      "name": {0},
      "mesh": {{"type": "file", "path": {1}}},
{2}      // The longest edge of its bounding box [m]; its coordinates are taken as they are without this line.
{3}
      "density": 1000,
      "material": {{"type": "stable-neo-hookean", "young": {4}, "poisson": 0.4}}
    }}
  ],
)",
        quoted(scene_name(starter.name)), quoted(starter.mesh, scene_file), surface, placed, young);
}

/// It falls from half a metre or more, whatever its shape, and bounces. Softer bodies do not bounce: where they land on
/// legs or corners, these give way, and most of the fall becomes vibration at the first contact.
std::string falling(const StarterScene& starter, const fs::path& scene_file)
{
    const std::string placed = starter.looks_away
        ? R"(      // Turned, to look at the camera, which is on the side of +z.
      "size": 0.3, "center": true, "rotate": {"axis": [0, 1, 0], "angle": 180}, "translate": [0, 0.6, 0],)"
        : R"(      "size": 0.3, "center": true, "translate": [0, 0.6, 0],)";
    return fmt::format(R"({{
  "name": {0},
  "summary": {1},
  // A longer step is faster; how high it bounces is then more the method's doing than the body's.
  "time": {{"step": "1/240", "duration": 3}},
  // Keeps the energy that "energy" asks for; "bdf2" or "implicit-euler" lose it at every bounce.
  "integrator": "a-search",
  // All of it, to the end. {{"type": "decay", "start": 1.5, "tau": 0.3}} brings it to rest after 1.5 s.
  "energy": {{"type": "hold"}},
{2}  // Level ground at y = 0; y is up.
  "obstacles": [{{"type": "half-space", "name": "ground"}}],
  // "friction": 0.3 makes it roll, and takes energy.
  "contact": {{"dhat": 1e-3}},
  "gravity_zero": [0, 0, 0],
  "output": {{"frames_per_second": 30}}
}}
)",
        quoted(scene_name(starter.name)), quoted(starter.name + " falls and bounces."),
        body(starter, scene_file, placed, "3e6"));
}

/// A rod of density rho and length L that hangs stretches by rho g L^2 / (2 E): 5 % here.
std::string hanging(const StarterScene& starter, const fs::path& scene_file)
{
    return fmt::format(R"({{
  "name": {0},
  "summary": {1},
  "time": {{"step": "1/60", "duration": 3}},
  "integrator": "bdf2",
{2}  // The top tenth; y is up. Another part: "direction": [1, 0, 0], or {{"type": "box", ...}}.
  "fixed": [{{"nodes": {{"type": "end", "direction": [0, 1, 0], "fraction": 0.1}}}}],
  "output": {{"frames_per_second": 30}}
}}
)",
        quoted(scene_name(starter.name)), quoted(starter.name + " hangs from its top."),
        body(starter, scene_file, R"(      "size": 1,)", "1e5"));
}

} // namespace

bool looks_away(const std::vector<Vec3>& nodes)
{
    if (nodes.empty()) return false;
    Vec3 low = nodes.front(), high = low, mean = Vec3::Zero(), head = Vec3::Zero();
    for (const Vec3& x : nodes) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
        mean += x / static_cast<double>(nodes.size());
    }
    long count = 0;
    for (const Vec3& x : nodes) {
        if (x.y() < low.y() + 2 * (high.y() - low.y()) / 3) continue;
        head += x;
        ++count;
    }
    return head.z() / static_cast<double>(count) < mean.z() - 0.15 * (high.z() - low.z());
}

const std::vector<std::string>& starter_kinds()
{
    static const std::vector<std::string> kinds{"fall", "hang"};
    return kinds;
}

std::string text(const StarterScene& starter, const fs::path& scene_file)
{
    return starter.kind == "hang" ? hanging(starter, scene_file) : falling(starter, scene_file);
}

} // namespace rubato::cli
