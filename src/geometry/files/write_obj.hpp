#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace rubato {

/// A surface as a Wavefront OBJ file; every coordinate can be read back to the last bit, vertices, texture coordinates,
/// polygons and names in the same order. Throws WriteError, also for numbers that are not finite and for names that
/// would not come back.
void write_obj(const std::filesystem::path& path, const Surface& surface);

/// The same with other positions: three coordinates per vertex [m].
void write_obj(const std::filesystem::path& path, const Surface& topology, std::span<const double> positions);

/// The same in memory; `path` is the name in messages.
std::string obj_bytes(const std::filesystem::path& path, const Surface& topology, std::span<const double> positions);

/// What comes behind the vertices in such a file, the same for every position of them: texture coordinates, names and
/// polygons.
std::string obj_topology(const std::filesystem::path& path, const Surface& topology);

/// Triangles without names.
void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh);

/// The surface of a body at the positions `x` of all its nodes [m].
void write_obj(const std::filesystem::path& path, const BoundarySurface& surface, const Vector& x);

} // namespace rubato
