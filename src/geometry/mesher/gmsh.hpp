#pragma once

#include "geometry/tet_mesh.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace rubato {

/// Where the external program gmsh is: the one that the environment variable RUBATO_GMSH names, or the first of that
/// name on the search path. Rubato neither brings nor links it.
std::optional<std::filesystem::path> gmsh_program();

/// Tetrahedra inside a closed surface whose triangles stay as they are: the boundary of the mesh is the surface. gmsh
/// does the work, in a folder of its own that is removed afterwards. `longest_edge` [m] bounds the edges inside; 0: as
/// the surface suggests. `file` names the surface in messages. InputError if gmsh is missing, gives up (with what it
/// said), or returns another boundary.
TetMesh filled_by_gmsh(const TriangleMesh& surface, const std::string& file, double longest_edge = 0);

} // namespace rubato
