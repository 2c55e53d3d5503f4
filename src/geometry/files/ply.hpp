#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace rubato {

/// A surface from a PLY file (Turk 1994): text, or binary of either byte order. Vertices have x, y, z and may have
/// texture coordinates (s t, u v, texture_u texture_v or texture_s texture_t); faces have a list vertex_indices or
/// vertex_index and may have a list texcoord with two numbers per corner. Everything else is passed over. Names come
/// from the comments of write_ply. InputError names the line or the byte.
Surface read_ply(const std::filesystem::path& path);
Surface ply_from_bytes(std::string_view bytes, const std::string& file);

enum class PlyEncoding { text, binary };

/// The surface with double coordinates (binary: little endian). Texture coordinates go to the vertices where each
/// vertex has its own, else to the corners of faces: then a face of which only some corners have them loses them.
/// Throws WriteError.
void write_ply(const std::filesystem::path& path, const Surface& surface, PlyEncoding encoding = PlyEncoding::binary);
std::string ply_bytes(const std::filesystem::path& path, const Surface& surface, PlyEncoding encoding);

} // namespace rubato
