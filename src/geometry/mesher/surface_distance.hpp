#pragma once

#include "geometry/signed_field.hpp"
#include "geometry/tet_mesh.hpp"

#include <vector>

namespace rubato {

/// How far a mesh's boundary lies from the surface it stands for: sampled, so lower bounds of the Hausdorff distances.
struct SurfaceDistance {
    double mesh_to_surface = 0; ///< largest distance from a point of the mesh boundary to the surface [m]
    double surface_to_mesh = 0; ///< largest distance from a point of the surface to the mesh boundary [m]
    double left_out = 0; ///< part of the surface points farther from the mesh than `far_off`: lost tips and crumbs
    Vec3 farthest_point = Vec3::Zero(); ///< the surface point farthest from the mesh [m]
};

/// Points of the field's surface [m]: where the field changes its sign along the edges of a grid of this spacing [m],
/// and so that parts thinner than the grid are not missed, points of the triangles of a SurfaceField, or for other
/// fields the feet of grid points that are near the surface.
std::vector<Vec3> surface_points(const SignedField& field, double spacing);

/// Distances both ways between the boundary of `mesh` and points of the true surface, which should lie several times
/// denser than the distances of interest. Every boundary triangle is sampled at 15 points. The distance from the mesh
/// to the surface is taken to be the field's value: right where that is a distance, too small where it is only a bound.
SurfaceDistance surface_distance(
    const TetMesh& mesh, const SignedField& field, const std::vector<Vec3>& points, double far_off);

/// The part of these points of the surface that is outside the mesh and farther than `far_off` [m] from its boundary.
double part_far_off(const TetMesh& mesh, const std::vector<Vec3>& points, double far_off);

/// Places where the boundary of a mesh and the surface are farther apart than `tolerance` [m]: points of the surface
/// that nothing comes near to (lost tips), and points of the boundary off the surface (bridged gaps, cut edges).
/// Points of walls and gaps far thinner than `finest` [m], the smallest cell that there will be, are left out.
std::vector<Vec3> misfits(
    const TetMesh& mesh, const SignedField& field, const std::vector<Vec3>& points, double tolerance, double finest);

} // namespace rubato
