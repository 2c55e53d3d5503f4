#pragma once

#include "geometry/mesher/zero_set.hpp"
#include "geometry/tet_mesh.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace rubato::mesher {

/// Whole numbers: a point of the lattice in units of half the finest cell.
using LatticePoint = std::array<std::int32_t, 3>;

/// A graded body-centred cubic lattice around a body, after Labelle and Shewchuk 2007, section 3: an octree whose
/// leaves are finest near the surface and differ by at most one level from leaf to leaf across faces and edges. Its
/// vertices are the corners and centres of the leaves; its tetrahedra fill it without gaps, and those that the surface
/// passes through are all of the finest regular kind.
struct Lattice {
    double cell = 0; ///< edge length of the finest cells [m]
    Vec3 origin = Vec3::Zero(); ///< of the lattice points [m]
    std::vector<LatticePoint> points;
    std::vector<double> values; ///< of the field at the points [m]
    std::vector<Tet> tets; ///< with at least one corner inside; positive orientation

    Vec3 position(Index i) const
    {
        return origin + cell / 2 * Vec3(points[i][0], points[i][1], points[i][2]);
    }
};

/// The lattice with finest cells of edge `cell` [m] and cells at most 2^levels times as long deep inside.
/// More than `most_tets` tetrahedra are an InputError.
Lattice lattice(const ZeroSet& surface, double cell, int levels, double most_tets);

} // namespace rubato::mesher
