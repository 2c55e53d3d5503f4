#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace rubato {

/// A surface from a Wavefront OBJ file: every vertex in the order of the file, polygons, texture coordinates, and the
/// names of objects (o), groups (g), materials (usemtl) and material files (mtllib). Negative numbers count back from
/// the last vertex. Normals, weights, colours, smoothing groups, lines and points are ignored. InputError names the
/// line.
Surface read_obj_surface(const std::filesystem::path& path);

/// The same from memory; `file` is the name in messages.
Surface surface_from_obj(std::string_view bytes, const std::string& file);

/// Its triangles alone, as `triangulated` cuts them; vertices that no face uses are left out.
TriangleMesh read_obj(const std::filesystem::path& path);
TriangleMesh obj_from_bytes(std::string_view bytes, const std::string& file);

} // namespace rubato
