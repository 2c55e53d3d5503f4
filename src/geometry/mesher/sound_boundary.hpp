#pragma once

#include "geometry/tet_mesh.hpp"

#include <vector>

namespace rubato::mesher {

/// What had to go for the boundary to be a surface.
struct Dropped {
    Index tets = 0; ///< removed one by one, where the mesh hung together by an edge or a node only
    Index crumbs = 0; ///< loose pieces removed as a whole
    double volume = 0; ///< of both [m^3]
    std::vector<Vec3> places = {}; ///< where [m]
};

/// Removes tetrahedra until every boundary edge has two triangles and every boundary node one fan of them, and then
/// loose pieces below `crumb` of the whole volume.
Dropped make_boundary_sound(const std::vector<Vec3>& nodes, std::vector<Tet>& tets, double crumb);

} // namespace rubato::mesher
