#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

namespace rubato {

/// Tetrahedra or a surface from a VTK unstructured grid (.vtu): arrays as text, in base64 or appended, compressed by
/// zlib or not, of either byte order, in one piece. With tetrahedra, cells of lower dimension are passed over and nodes
/// that no tetrahedron uses are left out; point arrays of bytes called group:NAME are groups. Without, triangles,
/// quadrangles and polygons make a surface with the names and texture coordinates that write_vtu gave it. InputError
/// names the line and the array.
std::variant<TetMesh, Surface> read_vtu(const std::filesystem::path& path);
std::variant<TetMesh, Surface> vtu_from_bytes(std::string_view bytes, const std::string& file);

} // namespace rubato
