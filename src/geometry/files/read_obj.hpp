#pragma once

#include "geometry/tet_mesh.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace rubato {

/// A triangle surface from a Wavefront OBJ file. Polygons are cut into a fan from their first corner, negative numbers
/// count back from the last vertex, texture coordinates, normals, materials, groups, lines and points are ignored.
/// Vertices keep the order of the file; those that no face uses are left out. InputError names the line.
TriangleMesh read_obj(const std::filesystem::path& path);

/// The same from memory; `file` is the name in messages.
TriangleMesh obj_from_bytes(std::string_view bytes, const std::string& file);

} // namespace rubato
