#pragma once

#include "base/errors.hpp"
#include "geometry/tet_mesh.hpp"

#include <string>
#include <vector>

namespace rubato {

/// How much a finding matters: an error makes the mesh unusable, a warning may be meant but is often a mistake.
enum class Severity { error, warning, note };

/// Something about a mesh that its user should know.
struct MeshFinding {
    Severity severity;
    std::string kind; ///< one or two words: "inverted", "duplicate", ...
    std::string places; ///< "tetrahedra 3, 8, 9, 12, 20 and 31 more", counted from 1; empty: the mesh as a whole
    std::string message; ///< what is wrong and what is allowed
    std::vector<std::size_t> tets; ///< all that are concerned, from 0, ascending; empty where nodes are
    std::vector<std::size_t> nodes; ///< the same for nodes
    std::vector<Vec3> positions; ///< of the first few places [m]

    /// "error: tetrahedra 3, 8: inverted: ...; the first at (0.1, 0.2, 0.3)"
    std::string text() const;
};

/// Everything found in a mesh of tetrahedra, the worst first.
///
///   error    no tetrahedra, coordinates that are not finite, node numbers out of range, a node twice in a tetrahedron
///            (degenerate), a tetrahedron twice (duplicate), nodes without a tetrahedron (unreferenced), volumes that
///            are negative (inverted) or zero (flat), a face of more than two tetrahedra (non-manifold), groups with
///            nodes that do not exist
///   warning  a volume below 1e-5 of that of a regular tetrahedron of the same longest edge (nearly flat), two
///            tetrahedra on the same side of a common face (overlapping), boundaries that touch along an edge or at a
///            vertex only (non-manifold), different nodes at exactly the same place (coincident)
///   note     parts without a common node
///
/// A volume counts as zero when it is below the rounding error of its determinant, 16 epsilon L^3 with L the longest
/// edge.
struct MeshReport {
    std::vector<MeshFinding> findings;

    bool sound() const; ///< no errors
};
MeshReport mesh_report(const TetMesh& mesh);

/// The errors alone: everything that makes a rest mesh unusable. Empty: the mesh is fit to simulate. `file` is named in
/// each mistake. Tetrahedra and nodes are counted from 1, in the order of the mesh.
std::vector<Mistake> mesh_mistakes(const TetMesh& mesh, const std::string& file);

/// Numbers of tetrahedra that use the same four nodes as an earlier one, ascending.
std::vector<std::size_t> repeated_tets(const std::vector<Tet>& tets);

/// Numbers of nodes that lie exactly where an earlier one does, ascending, and for all nodes the first at their place.
struct CoincidentNodes {
    std::vector<std::size_t> later;
    std::vector<Index> first; ///< itself for a node that is alone
};
CoincidentNodes coincident_nodes(const std::vector<Vec3>& nodes);

/// Places where a boundary touches itself without a common face.
struct BoundaryContacts {
    std::vector<std::array<Index, 2>> edges; ///< of more than two boundary triangles
    std::vector<Index> nodes; ///< of more than one fan of boundary triangles, and on no such edge
};
BoundaryContacts boundary_contacts(const std::vector<Triangle>& boundary, std::size_t node_count);

} // namespace rubato
