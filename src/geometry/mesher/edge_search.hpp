#pragma once

#include "geometry/mesher/body_cut.hpp"

namespace rubato::mesher {

/// Which edge length gives a number of nodes.
struct EdgeFound {
    double edge = 0; ///< [m]
    bool met = true; ///< false: fewer nodes would not keep the body whole
};

/// Lattice tetrahedra that a search for this many nodes may make in one attempt.
double most_tets_for(int nodes);

/// The edge length that gives about options.nodes nodes, or the coarsest that keeps the body whole. An InputError where
/// that would take more than twenty-five times as many nodes; it names a number that would do.
EdgeFound edge_for(const SignedField& field, const MesherOptions& options, Probe& probe);

} // namespace rubato::mesher
