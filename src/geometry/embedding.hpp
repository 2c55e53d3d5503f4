#pragma once

#include "geometry/tet_mesh.hpp"

#include <array>
#include <vector>

namespace rubato {

/// Points that ride on tetrahedra. Point i at rest is sum_k weight_k X_k over the four nodes of a tetrahedron, weights
/// adding up to 1; when the nodes move, it moves with the affine map of that tetrahedron. A point outside of all of
/// them belongs to the one behind the nearest place of the boundary; some of its weights are negative.
struct Embedding {
    std::vector<Tet> nodes; ///< of each point
    std::vector<std::array<double, 4>> weights;

    std::size_t count() const { return nodes.size(); }
};

/// Points in the rest shape of a mesh of at least one tetrahedron, whose volumes are positive. `outside`, if given,
/// gets the distance of each point from the mesh, zero inside [m].
Embedding embedded(const std::vector<Vec3>& points, const TetMesh& rest, std::vector<double>* outside = nullptr);

/// Points that are nodes of the mesh.
Embedding at_nodes(const std::vector<Index>& nodes);

/// More points behind those there are; node numbers of the new ones are raised by `first_node`.
void append(Embedding& embedding, const Embedding& more, Index first_node);

/// Where the points are when the nodes are at x [m]; `points` keeps its memory from call to call.
void positions(const Embedding& embedding, const Vector& x, std::vector<Vec3>& points);

} // namespace rubato
