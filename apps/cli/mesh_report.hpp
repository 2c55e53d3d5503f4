#pragma once

#include "geometry/mesher/surface_distance.hpp"
#include "geometry/quality.hpp"

#include <string>
#include <vector>

namespace rubato::cli {

/// A few lines about a tetrahedral mesh, with a small histogram of its dihedral angles.
std::string text(const MeshQuality& quality);

/// One line: how far mesh and surface are apart, in edges.
std::string text(const SurfaceDistance& distance, double edge);

} // namespace rubato::cli
