#pragma once

#include "geometry/signed_field.hpp"
#include "geometry/tet_mesh.hpp"

#include <array>
#include <vector>

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

/// How far a mesh's boundary lies from the surface it stands for: sampled, so lower bounds of the Hausdorff distances.
struct SurfaceDistance {
    double mesh_to_surface = 0; ///< largest distance from a point of the mesh boundary to the surface [m]
    double surface_to_mesh = 0; ///< largest distance from a point of the surface to the mesh boundary [m]
    double surface_left_out = 0; ///< part of the surface points farther from the mesh than `far_off`: thin tips, crumbs
    Vec3 farthest_surface_point = Vec3::Zero(); ///< the surface point farthest from the mesh [m]
};

/// Distances both ways between the boundary of `mesh` and `surface_points`, which should lie denser than the distances
/// of interest; the boundary is sampled `per_edge` times along each edge. `far_off` [m] as above.
SurfaceDistance surface_distance(
    const TetMesh& mesh, const std::vector<Vec3>& surface_points, double far_off, int per_edge = 4);

/// Points of the field's surface, one at least in each cube of side `spacing` that it passes through visibly: where
/// the field changes its sign along the edges of a grid [m].
std::vector<Vec3> surface_points(const SignedField& field, double spacing);

} // namespace rubato
