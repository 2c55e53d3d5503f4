#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

namespace rubato {

/// A mesh of 4-node tetrahedra from a Gmsh file of version 2.2 or 4.1, text or binary. Nodes keep the order of the
/// file; those that no tetrahedron uses are left out. Physical groups of any dimension become groups of nodes, by
/// their names or, without one, as physical_<dimension>_<tag>. Whatever does not fit is an InputError with line or
/// byte. The volumes are not looked at here: see mesh_mistakes in geometry/check.hpp.
TetMesh read_msh(const std::filesystem::path& path);

/// The same from memory; `file` is the name in messages.
TetMesh msh_from_bytes(std::string_view bytes, const std::string& file);

/// A surface of 3-node triangles and 4-node quadrangles from such a file, where it has no tetrahedra. All nodes are
/// kept; the physical group of a triangle names its group.
Surface msh_surface_from_bytes(std::string_view bytes, const std::string& file);

/// Tetrahedra if there are any, else a surface.
std::variant<TetMesh, Surface> msh_any_from_bytes(std::string_view bytes, const std::string& file);

} // namespace rubato
