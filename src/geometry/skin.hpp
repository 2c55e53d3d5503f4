#pragma once

#include "geometry/embedding.hpp"
#include "geometry/surface.hpp"

#include <string>
#include <vector>

namespace rubato {

/// A body, or an obstacle, within a skin: ranges of its vertices and polygons.
struct SkinBody {
    std::string name;
    bool obstacle = false;
    Index first_vertex = 0, vertices = 0;
    Index first_polygon = 0, polygons = 0;
};

/// What people see of the bodies: for each its own surface, riding on the tetrahedra, or else their boundary. All in
/// one, body after body: vertices, polygons and texture coordinates keep their order within a body.
struct Skin {
    Surface surface; ///< at rest
    Embedding points; ///< its vertices
    std::vector<SkinBody> bodies = {}; ///< in order; they cover all vertices and polygons
    bool embedded = false; ///< some body shows a surface of its own
    double farthest = 0; ///< how far a corner of such a surface lies outside of the tetrahedra at rest [m]
};

/// The boundary of a body; its vertices are the nodes on it, ascending.
Skin boundary_skin(const TetMesh& rest);

/// A surface that lies where the body's tetrahedra are at rest.
Skin embedded_skin(Surface surface, const TetMesh& rest);

/// One more body, whose nodes begin at `first_node`. Parts without the name of an object get that of the body; others
/// keep theirs, with the body's in front if there are several alike.
struct SkinName {
    std::string name;
    bool one_of_several = false, obstacle = false;
};
void append(Skin& skin, const Skin& body, Index first_node, const SkinName& name);

} // namespace rubato
