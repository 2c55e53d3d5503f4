#pragma once

#include "geometry/tet_mesh.hpp"

namespace rubato {

/// How many tetrahedra have no positive volume when the nodes are at x [m]: those turned inside out and the flat ones.
Index inverted_tets(const std::vector<Tet>& tets, const Vector& x);

} // namespace rubato
