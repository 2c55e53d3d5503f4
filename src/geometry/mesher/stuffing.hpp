#pragma once

#include "geometry/signed_field.hpp"
#include "geometry/tet_mesh.hpp"

#include <functional>

namespace rubato {

/// How the built-in mesher fills a body. Either `edge` or `nodes` is given.
struct MesherOptions {
    double edge = 0; ///< mean edge length wanted on the surface [m]
    int nodes = 0; ///< or the number of nodes wanted, met within about a tenth
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
    double dropped_volume = 0; ///< of both [m^3]
    Index crease_nodes = 0; ///< nodes placed on sharp edges and corners
};

/// Tetrahedra that fill the body where the field is negative, by isosurface stuffing. Group: surface (boundary nodes).
/// An InputError: neither or both of edge and nodes, a body too thin for this edge length, a mesh beyond
/// most_generated_tets, a field that is not finite.
TetMesh stuffed(const SignedField& field, const MesherOptions& options, MesherReport* report = nullptr);

} // namespace rubato
