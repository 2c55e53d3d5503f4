#pragma once

#include "base/options.hpp"
#include "geometry/mesher/stuffing.hpp"
#include "geometry/surface.hpp"
#include "scene/schema.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// What a mesh block of a scene gives.
struct SceneMesh {
    TetMesh tets;
    std::optional<Surface> surface = {}; ///< what is shown of it; absent: the boundary of the tetrahedra
    std::vector<std::string> notes = {}; ///< what the user should know
};

/// One line of the mesh catalog: where the tetrahedra of a body come from.
struct MeshEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// `folder`: where the scene lies; a file name (always the option "path") is relative to it. Throws InputError.
    std::function<SceneMesh(const Options&, const std::filesystem::path& folder)> make;
};

const std::vector<MeshEntry>& mesh_catalog();

/// The file that the option "path" names; InputError if there is none.
std::filesystem::path existing_file(const Options& options, const std::filesystem::path& folder);

/// How fine the mesher fills a body: options edge, nodes and grading, the same for scenes and the command line.
std::vector<OptionSpec> fineness_specs();
MesherOptions fineness(const Options& options); ///< edge and nodes both given: InputError

/// Writes out the number of nodes that a mesh block gets when it asks for nothing; other blocks stay as they are.
void write_fineness(Block& mesh);

/// A list of blobs that comes with the program (bodies/*.blobs), by name.
struct BuiltinBody {
    std::string_view name, file, text;
};
const std::vector<BuiltinBody>& builtin_bodies();

/// The field of such a body; an unknown name is an InputError that lists them.
std::unique_ptr<SignedField> builtin_field(const std::string& name);

} // namespace rubato
