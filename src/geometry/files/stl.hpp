#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace rubato {

/// A surface from an STL file, text or binary. STL lists the three corners of each triangle: positions that are exactly
/// equal become one vertex, in the order of first appearance. The names of solids become names of groups. Normals are
/// not looked at. InputError names the line or the byte.
Surface read_stl(const std::filesystem::path& path);
Surface stl_from_bytes(std::string_view bytes, const std::string& file);

enum class StlEncoding { text, binary };

/// Triangles; polygons are cut into them, vertices that no polygon uses and texture coordinates are left out. Text
/// gives back every bit of a position and makes a solid of each part, named after its group (else object, else
/// material). Binary has single precision and no names. Throws WriteError.
void write_stl(const std::filesystem::path& path, const Surface& surface, StlEncoding encoding = StlEncoding::text);
std::string stl_bytes(const std::filesystem::path& path, const Surface& surface, StlEncoding encoding);

} // namespace rubato
