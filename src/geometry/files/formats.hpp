#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rubato {

using AnyMesh = std::variant<TetMesh, Surface>;

/// A format of mesh files: what it can hold is what its functions are there for. Readers get the bytes and the name of
/// the file for messages and throw InputError; writers get the name for messages and throw WriteError.
struct MeshFormat {
    std::string extension; ///< with its dot, in lower case
    std::string name;
    std::string summary; ///< one line: what comes back from a file that was written
    std::function<AnyMesh(std::string_view bytes, const std::string& file)> read;
    std::function<std::string(const std::filesystem::path&, const Surface&)> surface_bytes; ///< empty: cannot
    std::function<std::string(const std::filesystem::path&, const TetMesh&)> tet_bytes; ///< empty: cannot

    bool holds_surfaces() const { return surface_bytes != nullptr; }
    bool holds_tets() const { return tet_bytes != nullptr; }
};

const std::vector<MeshFormat>& mesh_formats();

/// The format that the extension stands for, upper case or lower. InputError for an unknown one.
const MeshFormat& mesh_format(const std::filesystem::path& path);

/// Tetrahedra if the file holds any, else a surface.
AnyMesh read_any(const std::filesystem::path& path);

/// InputError when the file holds the other kind.
Surface read_surface(const std::filesystem::path& path);
TetMesh read_tets(const std::filesystem::path& path);

/// In the format of the extension, of which the defaults keep most. InputError for an extension that is unknown or
/// cannot hold this kind of mesh, WriteError when the file cannot be written.
void write_surface(const std::filesystem::path& path, const Surface& surface);
void write_tets(const std::filesystem::path& path, const TetMesh& mesh);

} // namespace rubato
