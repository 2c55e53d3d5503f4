#pragma once

#include "geometry/mesher/tet_shape.hpp"
#include "geometry/tet_mesh.hpp"

#include <utility>
#include <vector>

namespace rubato::mesher {

/// The corners of a tetrahedron other than k, in an order such that (k, ...) is an even permutation, so positive.
inline constexpr int corners_after[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/// What holds a node: the numbers grow with the number of directions it may not move in.
enum class Hold : char {
    interior, ///< free
    surface, ///< on the surface
    crease, ///< on a sharp edge of it
    corner, ///< where sharp edges meet: does not move
};

/// Planes on both sides of a sharp edge, seen from a node on it.
struct Crease {
    Vec3 n1 = Vec3::Zero(), n2 = Vec3::Zero(); ///< outward unit normals
    bool convex = true;
};

/// A tetrahedral mesh that can be changed tetrahedron by tetrahedron, with the tetrahedra at each node and the shape of
/// each always at hand.
class WorkingMesh {
public:
    WorkingMesh(std::vector<Vec3> nodes, const std::vector<Tet>& mesh_tets);

    std::vector<Vec3> x; ///< node positions [m]
    std::vector<Hold> hold;
    std::vector<Crease> crease; ///< for each node; counts on creases only
    std::vector<char> frozen; ///< boundary nodes whose triangles must stay as they are
    double dropped_volume = 0; ///< of tetrahedra that went without others in their place [m^3]

    Index tet_count() const { return static_cast<Index>(tets_.size()); } ///< with removed ones
    const Tet& tet(Index e) const { return tets_[e]; }
    bool alive(Index e) const { return tets_[e][0] >= 0; }
    double shape(Index e) const { return shapes_[e]; }
    const std::vector<Index>& star(Index v) const { return stars_[v]; } ///< tetrahedra at a node

    double shape_of(const Tet& t) const { return tet_shape(x[t[0]], x[t[1]], x[t[2]], x[t[3]]); }
    double volume_of(Index e) const; ///< [m^3]
    double worst_of(const std::vector<Index>& some_tets) const;

    void add(const Tet& t);
    void remove(Index e);
    /// Moves a node and measures its tetrahedra anew.
    void move(Index v, const Vec3& place);

    bool has(Index e, Index v) const;
    bool has_edge(Index a, Index b) const; ///< some tetrahedron has both
    std::vector<Index> tets_at_edge(Index a, Index b) const;
    Index across(Index e, int corner) const; ///< the tetrahedron beyond the face opposite a corner, -1 for none

    /// Boundary triangles (v, a, b), outward, as pairs (a, b).
    std::vector<std::pair<Index, Index>> fan(Index v) const;
    /// Mean outward normal of the boundary at a node, weighted by area; zero inside.
    Vec3 normal(Index v) const;

    /// Nodes around the edge from a to b, so that (a, b, ring[i], ring[i+1]) are its tetrahedra; `closed`: the last
    /// is followed by the first. Empty where the edge has no single fan.
    struct Ring {
        std::vector<Index> nodes;
        bool closed = false;
    };
    Ring ring(Index a, Index b) const;

private:
    std::vector<Tet> tets_; ///< removed: first node -1
    std::vector<double> shapes_;
    std::vector<std::vector<Index>> stars_;
    std::vector<Index> unused_; ///< places of removed tetrahedra
};

} // namespace rubato::mesher
