#pragma once

#include "contact/pair_rules.hpp"
#include "geometry/tet_mesh.hpp"

#include <array>
#include <string>
#include <vector>

namespace rubato {

using Edge = std::array<Index, 2>;

/// A body or an obstacle, as contact knows it.
struct CollisionPart {
    std::string name;
    std::string family = {}; ///< copies of one body share it
    bool kinematic = false; ///< none of its nodes is free: two such parts never meet
    double radius = 0; ///< its surface lies this far from its points, edges and faces [m]: a sphere is one point
    bool begun = false; ///< has points; kept by CollisionSurface, which need not look for those of a part without any
    Index turning = -1; ///< node with the velocity radius times spin, by which its surface slides; negative: none
};

/// Everything on the side that the normal points away from is solid. It does not move.
struct HalfSpace {
    Vec3 point = Vec3::Zero(); ///< [m]
    Vec3 normal = Vec3::UnitY(); ///< of length 1, out of the solid
    Index part = 0;
};

/// Everything that can touch: points, edges and faces of the system's nodes, and half-spaces. Flat tables, fixed when
/// the scene is built.
struct CollisionSurface {
    std::vector<CollisionPart> parts;

    std::vector<Index> points; ///< node numbers
    std::vector<Edge> edges; ///< node numbers
    std::vector<Triangle> faces; ///< node numbers, counter-clockwise seen from outside
    std::vector<Index> point_part, edge_part, face_part;
    std::vector<double> point_area; ///< of the rest surface that belongs to a point [m^2]
    std::vector<double> face_area; ///< at rest [m^2]; of a piece of a flat face: the mean of its pieces
    std::vector<Index> flat_face; ///< of each face: the flat face that it is a piece of; -1: none
    std::vector<double> edge_length; ///< at rest [m]
    std::vector<char> point_alone, edge_alone; ///< 1: on no edge (a particle); on no face (a curve)
    std::vector<char> edge_inner; ///< 1: between two pieces of a flat face
    std::vector<HalfSpace> half_spaces;

    /// Adds a part and returns its number.
    Index add_part(CollisionPart part);
    /// Adds the closed or open surface of a part; X: rest positions of all nodes of the system. The area of a point is
    /// a third of what the faces around it show to one side, seen along the normal of that one of them from which most
    /// is seen: where a flat side ends in an edge, the area of this side alone, since both sides never press at once.
    void add_faces(Index part, const std::vector<Triangle>& faces, const Vector& X);
    /// Makes one flat face of each convex polygon of coplanar faces of a part that does not deform: what is over it
    /// meets a plane, wherever the edges between its pieces run.
    void join_flat_faces(Index part, const Vector& X);
    /// Edges and points that belong to no face. The area of a point on a curve is half of its edges' lengths times the
    /// circumference 2 pi radius of its part; that of a single point 4 pi radius^2; 1 m^2 if that is nothing. What the
    /// part has already is not added again.
    void add_curve(Index part, const std::vector<Edge>& edges, const Vector& X);
    void add_point(Index part, Index node);
};

} // namespace rubato
