#pragma once

#include "base/types.hpp"

#include <Eigen/Geometry>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace rubato {

using Tet = std::array<Index, 4>; ///< positive orientation: det[x1-x0, x2-x0, x3-x0] > 0
using Triangle = std::array<Index, 3>; ///< counter-clockwise seen from outside

/// A tetrahedral mesh with named groups of nodes.
struct TetMesh {
    std::vector<Vec3> nodes; ///< [m]
    std::vector<Tet> tets;
    std::map<std::string, std::vector<Index>> groups; ///< node numbers by name, ascending
};

struct TriangleMesh {
    std::vector<Vec3> nodes; ///< [m]
    std::vector<Triangle> triangles;
};

/// Six times the signed volume of a tetrahedron.
inline double det_of_edges(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    return (b - a).dot((c - a).cross(d - a));
}

/// Boundary triangles, outward, in a fixed order; node numbers are those of the tetrahedral mesh.
std::vector<Triangle> boundary_triangles(const std::vector<Tet>& tets);

/// The tetrahedron that each of them belongs to.
std::vector<Index> tets_behind_boundary(const std::vector<Tet>& tets);

/// The boundary with a numbering of its own, in which only its nodes count.
struct BoundarySurface {
    std::vector<Index> nodes; ///< node of the tetrahedral mesh behind each surface node, ascending
    std::vector<Triangle> triangles; ///< outward, in surface numbers
};
BoundarySurface boundary_surface(const std::vector<Tet>& tets);

} // namespace rubato
