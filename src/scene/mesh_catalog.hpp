#pragma once

#include "base/options.hpp"
#include "geometry/tet_mesh.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace rubato {

/// One line of the mesh catalog: where the tetrahedra of a body come from.
struct MeshEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// `folder`: where the scene lies; file names are relative to it. Throws InputError.
    std::function<TetMesh(const Options&, const std::filesystem::path& folder)> make;
    bool reads_file = false; ///< has an option "path"; a run keeps a copy of that file
};

const std::vector<MeshEntry>& mesh_catalog();

} // namespace rubato
