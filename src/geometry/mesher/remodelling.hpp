#pragma once

#include "geometry/mesher/working_mesh.hpp"
#include "geometry/mesher/zero_set.hpp"

namespace rubato::mesher {

/// Changes of the tetrahedra at an edge or face, done only where the worst of them gets better (Klingner and Shewchuk
/// 2007). On the boundary the new triangles must stay as near to the surface as the old ones, or nearly.
class Remodelling {
public:
    Remodelling(WorkingMesh& mesh, const ZeroSet& surface)
        : mesh_(mesh)
        , surface_(surface)
    {
    }

    /// Tetrahedra around the edge are replaced by ones without it: flips 3-2, 4-4, 5-6, ...; at the boundary its two
    /// triangles become the other two.
    bool remove_edge(Index a, Index b);
    /// The face opposite a corner gives way to an edge through it: flip 2-3.
    bool remove_face(Index e, int corner);
    /// Two nodes become one.
    bool contract(Index a, Index b);
    /// A flat tetrahedron with three faces on the boundary goes away with its tip.
    bool remove_tip(Index e);

    /// Tries all of these at a tetrahedron.
    bool improve(Index e);

private:
    bool boundary_stays(Index a, Index b, Index c, Index d) const;

    WorkingMesh& mesh_;
    const ZeroSet& surface_;
};

} // namespace rubato::mesher
