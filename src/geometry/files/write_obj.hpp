#pragma once

#include "geometry/tet_mesh.hpp"

#include <filesystem>

namespace rubato {

/// A triangle surface as a Wavefront OBJ file; every coordinate can be read back to the last bit.
/// Throws WriteError, also for numbers that are not finite.
void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh);

/// The surface of a body at the positions `x` of all its nodes [m].
void write_obj(const std::filesystem::path& path, const BoundarySurface& surface, const Vector& x);

} // namespace rubato
