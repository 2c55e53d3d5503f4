#pragma once

#include "contact/collision_surface.hpp"

#include <array>
#include <vector>

namespace rubato {

/// What a bounding volume hierarchy sorts: a face, an edge on no face or a point on no edge. Every point and every edge
/// of a surface is owned by one element, the first that has it, so that a pair of elements stands for those pairs of
/// primitives that it owns, and each of these turns up once (representative triangles: Curtis, Tamstorf, Manocha 2008).
struct TreeElement {
    int corners = 0; ///< 3: a face, 2: an edge, 1: a point
    Index number = 0; ///< of that face, edge or point in the CollisionSurface
    std::array<Index, 3> nodes = {-1, -1, -1};
    std::array<Index, 3> points = {-1, -1, -1}; ///< numbers in the CollisionSurface
    std::array<bool, 3> owns_point = {};
    std::array<Index, 3> edges = {-1, -1, -1}; ///< from corner k to k + 1, if the element owns it

    bool has_node(Index i) const { return (nodes[0] == i) | (nodes[1] == i) | (nodes[2] == i); }
};

/// The elements of all parts: those of part k are elements[first[k]] to elements[first[k + 1] - 1].
struct TreeElements {
    std::vector<TreeElement> elements;
    std::vector<Index> first;
};
TreeElements tree_elements(const CollisionSurface& surface);

/// Where the entries of each part begin when they are sorted by part, and the end.
std::vector<Index> first_of_parts(const std::vector<Index>& part_of, std::size_t parts);

} // namespace rubato
