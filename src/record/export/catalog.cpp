#include "record/export/catalog.hpp"

#include "record/export/gltf.hpp"
#include "record/export/obj.hpp"
#include "record/export/ply.hpp"
#include "record/export/point_cache.hpp"
#include "record/export/usd.hpp"
#include "record/export/vtu.hpp"

#include <algorithm>
#include <regex>

namespace rubato {

const std::vector<ExportEntry>& export_catalog()
{
    static const std::vector<ExportEntry> catalog{
        {"usd", "One animated USD stage (.usda) with a mesh for each body, for Blender, Houdini, Unreal and others.",
            {}, export_usd, ".usda"},
        {"gltf", "One animated binary glTF file (.glb) for browsers and viewers; the motion is in morph targets.", {},
            export_gltf, ".glb"},
        {"vtu", "Tetrahedra and surfaces with all that is known of them, for ParaView; .pvd files hold the times.", {},
            export_vtu, ".vtu"},
        {"obj", "A Wavefront .obj for each frame: polygons, texture coordinates and names as their author made them.",
            {}, export_obj, ".obj"},
        {"ply", "A binary .ply for each frame: triangles, with velocity, stress and contact at each point.", {},
            export_ply, ".ply"},
        {"pc2", "A point cache (.pc2) for each body, at equal distances of time, with the .obj that it moves.", {},
            export_pc2, ".pc2"},
        {"mdd", "A point cache (.mdd) for each body, with the times of its frames, and the .obj that it moves.", {},
            export_mdd, ".mdd"},
    };
    return catalog;
}

std::vector<std::filesystem::path> exported(
    const ExportEntry& entry, const FrameSelection& frames, const ExportOptions& options)
{
    const std::regex numbered("(frame|surface)_[0-9]{6,}\\" + entry.extension);
    std::vector<std::filesystem::path> old;
    std::error_code ignored;
    for (const auto& file : std::filesystem::directory_iterator(options.folder, ignored)) {
        if (std::regex_match(file.path().filename().string(), numbered)) old.push_back(file.path());
    }
    for (const std::filesystem::path& file : old) std::filesystem::remove(file, ignored);
    return entry.write(frames, options);
}

const ExportEntry* export_named(std::string_view name)
{
    const auto& all = export_catalog();
    const auto found = std::find_if(all.begin(), all.end(), [&](const ExportEntry& e) { return e.name == name; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace rubato
