#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace rubato {

/// What the writers of this room share: no number that is not finite ever reaches a file.

/// The coordinates of all nodes, one after the other.
std::span<const double> coordinates(const std::vector<Vec3>& nodes);
std::span<const double> coordinates(const Vector& x);

/// Throws WriteError for the first number that is NaN or infinite: "velocity of node 3 is not finite".
void require_finite(
    const std::filesystem::path& path, const std::string& what, std::span<const double> values, std::size_t per_node);

/// Throws WriteError when a corner is not a number from 0 to node_count - 1.
void require_corners(const std::filesystem::path& path, std::span<const Index> corners, std::size_t node_count);

/// Throws WriteError when positions or texture coordinates are not finite or the lists of the surface do not fit each
/// other. `positions`: three coordinates per vertex.
void require_surface(const std::filesystem::path& path, const Surface& surface, std::span<const double> positions);

/// Throws WriteError for a name that would not come back from a text file: with a line break or other control
/// character, a blank at its ends, or one of the characters that the format reserves.
void require_names(const std::filesystem::path& path, const Surface& surface, std::string_view reserved);
void require_name(const std::filesystem::path& path, const std::string& name, std::string_view reserved);

/// Corners of all elements, one after the other.
std::span<const Index> corners_of(const std::vector<Tet>& tets);
std::span<const Index> corners_of(const std::vector<Triangle>& triangles);

/// Text between or inside the tags of an XML file.
std::string xml_text(const std::string& text);

} // namespace rubato
