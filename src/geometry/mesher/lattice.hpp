#pragma once

#include "geometry/mesher/octree.hpp"
#include "geometry/tet_mesh.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace rubato::mesher {

/// Whole numbers: a point of the lattice in units of half the finest cell.
using LatticePoint = std::array<std::int32_t, 3>;

/// A graded body-centred cubic lattice around a body, after Labelle and Shewchuk 2007, section 3: an octree whose
/// leaves differ by at most one level from leaf to leaf. Its vertices are the corners and centres of the leaves; its
/// tetrahedra fill it without gaps.
struct Lattice {
    double cell = 0; ///< edge length of cells of level 0 [m]
    Vec3 origin = Vec3::Zero(); ///< of the lattice points [m]
    std::vector<LatticePoint> points;
    std::vector<double> values; ///< of the field at the points [m]
    std::vector<Tet> tets; ///< with at least one corner inside; positive orientation

    Vec3 position(Index i) const { return origin + cell / 2 * Vec3(points[i][0], points[i][1], points[i][2]); }
};

/// How a lattice is graded.
struct LatticeSizes {
    double cell = 0; ///< edge length of the cells at the surface [m]
    int finer_levels = 0; ///< how often these may be halved where that is asked for
    int coarser_levels = 0; ///< how often they may be doubled deep inside
    double most_tets = 1e8; ///< more are TooFine
};

/// Makes a lattice around a body, in which all tetrahedra that the surface passes through are of the regular kind; and
/// refines it where that is asked for, which gives up this promise there.
class LatticeMaker {
public:
    LatticeMaker(const ZeroSet& surface, const LatticeSizes& sizes);

    /// Halves the cells at and around these places, once, unless they are of the finest level. Returns how many.
    Index refine_around(const std::vector<Vec3>& places);

    /// Places where the body is thinner than about a cell: no lattice point near the surface lies deep inside.
    std::vector<Vec3> thin_places() const;

    const Lattice& lattice() const { return lattice_; }

private:
    void fill();

    const ZeroSet& surface_;
    LatticeSizes sizes_;
    Octree tree_;
    FlatMap numbers_;
    Lattice lattice_;
};

} // namespace rubato::mesher
