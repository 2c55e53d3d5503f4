#pragma once

#include "base/memory.hpp"

#include <cstdint>

/// What a scene takes of the memory, at the least, so that one that cannot be run is refused before it is built.
namespace rubato {

/// Measured: runs of boxes of 40 000 and 320 000 tetrahedra with implicit Euler and the default solver take 1160 bytes
/// more for each tetrahedron. A Cholesky factorisation or contact takes more.
inline constexpr double bytes_per_tet = 1100;
inline constexpr double bytes_per_body = 4000; ///< its name, its groups of nodes, its part of the contact [bytes]

inline double scene_bytes(double tets, double bodies) { return bytes_per_tet * tets + bytes_per_body * bodies; }

} // namespace rubato
