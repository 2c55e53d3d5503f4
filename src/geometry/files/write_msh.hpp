#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <string>

namespace rubato {

enum class MshVersion { v2_2, v4_1 };
enum class MshEncoding { text, binary };

/// The mesh as a Gmsh file. Groups become physical groups of points that carry their names. Text has enough digits to
/// give back every coordinate to the last bit. Throws WriteError, also for numbers that are not finite.
void write_msh(const std::filesystem::path& path, const TetMesh& mesh, MshVersion version = MshVersion::v4_1,
    MshEncoding encoding = MshEncoding::binary);

/// The same in memory; `path` is the name in messages.
std::string msh_bytes(const std::filesystem::path& path, const TetMesh& mesh, MshVersion version, MshEncoding encoding);

/// A surface: triangles and quadrangles, larger polygons cut into triangles. The names of its parts (group, else
/// object, else material) become physical surfaces; texture coordinates are left out.
void write_msh(const std::filesystem::path& path, const Surface& surface, MshVersion version = MshVersion::v4_1,
    MshEncoding encoding = MshEncoding::binary);
std::string msh_bytes(
    const std::filesystem::path& path, const Surface& surface, MshVersion version, MshEncoding encoding);

} // namespace rubato
