#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace rubato {

/// A surface from an OFF file (Geomview), text: OFF, and COFF, NOFF, STOFF and their mixtures, of which colours and
/// normals are passed over. Texture coordinates (ST) are the last two numbers of a vertex. Names come from the comments
/// of write_off. InputError names the line.
Surface read_off(const std::filesystem::path& path);
Surface off_from_bytes(std::string_view bytes, const std::string& file);

/// The surface; every bit of a position comes back. Texture coordinates are kept (as STOFF) where each vertex has its
/// own, else left out. Throws WriteError.
void write_off(const std::filesystem::path& path, const Surface& surface);
std::string off_bytes(const std::filesystem::path& path, const Surface& surface);

} // namespace rubato
