#pragma once

#include "geometry/triangle_tree.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace rubato {

/// Whether two triangles pass through each other: they have a segment in common along which at least one of them goes
/// on to both sides of the other, or they lie in one plane and overlap in an area. Touching in a point, along an edge
/// or face to face does not count, so neighbours in a mesh need no special case. Lengths are told apart down to about
/// 1e-12 of the size of the triangles. (Interval test on the common line: T. Moeller, 1997.)
bool triangles_cross(const TriangleTree::Corners& t, const TriangleTree::Corners& s);

struct Crossings {
    std::int64_t count = 0;
    bool is_a_lower_bound = false; ///< there were so many that the search was stopped
    std::vector<std::array<Index, 2>> first; ///< numbers in the mesh, the lower one first, in ascending order
};

/// All pairs of triangles that cross, of those with different corners. Lists the first `most_listed`.
Crossings crossings(const TriangleMesh& mesh, std::size_t most_listed);

} // namespace rubato
