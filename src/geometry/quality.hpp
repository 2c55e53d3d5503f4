#pragma once

#include "geometry/tet_mesh.hpp"

#include <array>

namespace rubato {

/// What one wants to know of a tetrahedral mesh before trusting it.
struct MeshQuality {
    static constexpr int bins = 18; ///< of ten degrees each

    Index nodes = 0, tets = 0, boundary_triangles = 0;
    double volume = 0; ///< [m^3]

    double smallest_dihedral = 0, largest_dihedral = 0; ///< [deg]
    Index smallest_dihedral_tet = -1, largest_dihedral_tet = -1; ///< numbers from 0; -1: no tetrahedra
    std::array<long, bins> dihedral_histogram = {}; ///< dihedral angles in [10 i, 10 i + 10) degrees

    double shortest_edge = 0, mean_edge = 0, longest_edge = 0; ///< [m]
    double mean_boundary_edge = 0; ///< [m]

    Index components = 0; ///< pieces that hang together by shared nodes
    bool boundary_closed = false; ///< every edge of the boundary has an even number of triangles
    bool boundary_manifold = false; ///< every edge has two, and the triangles at every node form one fan
    long euler_number = 0; ///< nodes - edges + triangles of the boundary: 2 for a ball, 0 for a torus
};
MeshQuality mesh_quality(const TetMesh& mesh);

} // namespace rubato
