#pragma once

#include "geometry/tet_mesh.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace rubato {

/// A mesh of 4-node tetrahedra from a Gmsh file of version 2.2 or 4.1, text or binary. Nodes keep the order of the
/// file; those that no tetrahedron uses are left out. Physical groups of any dimension become groups of nodes, by
/// their names or, without one, as physical_<dimension>_<tag>. Whatever does not fit is an InputError with line or
/// byte. The volumes are not looked at here: see mesh_mistakes in geometry/check.hpp.
TetMesh read_msh(const std::filesystem::path& path);

/// The same from memory; `file` is the name in messages.
TetMesh msh_from_bytes(std::string_view bytes, const std::string& file);

} // namespace rubato
