#pragma once

#include "geometry/signed_field.hpp"
#include "geometry/tet_mesh.hpp"

#include <cstdint>
#include <functional>

namespace rubato {

/// How the built-in mesher fills a body. Either `edge` or `nodes` is given.
struct MesherOptions {
    double edge = 0; ///< mean edge length wanted on the surface [m]
    int nodes = 0; ///< or the number of nodes wanted, met within about a tenth if the body stays whole
    double grading = 4; ///< how many times longer edges may get deep inside: 1, 2, 4, 8, ...
    double refining = 4; ///< how many times shorter edges may get where the body is thin, so that it is not lost there
    bool improved = true; ///< false: the bare stencils, dihedral angles between 10.7 and 164.8 degrees
    double crumb = 0.01; ///< loose pieces smaller than this part of the whole volume are dropped
    std::function<void(const char* phase, double fraction)> progress = {}; ///< told about the work, 0 to 1
};

/// What the mesher did beyond the mesh itself.
struct MesherReport {
    double edge = 0; ///< edge length that was aimed at on the surface [m]
    Index dropped_tets = 0; ///< removed where the mesh hung together by an edge or a node only
    Index dropped_crumbs = 0; ///< loose pieces removed
    double dropped_volume = 0; ///< of both, and of flat tetrahedra that the improvement took off the boundary [m^3]
    Index crease_nodes = 0; ///< nodes placed on sharp edges and corners
    double lost_surface
        = 0; ///< part of the surface that is farther than half an edge from the mesh, before improvement
    int wanted_nodes = 0; ///< as asked for; 0: an edge length was
    bool met = true; ///< false: with so few nodes the body would not be whole, so there are more
    Index contacts = 0; ///< nodes and edges where the boundary touches itself; none unless the repair failed
    std::int64_t crossings = 0; ///< pairs of boundary triangles that pass through each other
};

/// Tetrahedra that fill the body where the field is negative, by isosurface stuffing. Group: surface (boundary nodes).
/// An InputError: neither or both of edge and nodes, a body too thin for this edge length or for twenty-five
/// times this many nodes, a mesh beyond most_generated_tets, a field that is not finite.
TetMesh stuffed(const SignedField& field, const MesherOptions& options, MesherReport* report = nullptr);

} // namespace rubato
