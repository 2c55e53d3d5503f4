#pragma once

#include "geometry/distance.hpp"

#include <array>

namespace rubato {

/// Two primitives that may come close, as the search for what is close needs them.
struct PairShape {
    PairKind kind;
    int first, corners; ///< how many corners the first primitive has; both
    std::array<Index, 4> nodes; ///< as the kind orders them; -1: none
    double offset; ///< sum of the radii [m]
};

Corners corners_of(const PairShape& shape, const Vector& x);

/// Largest distance along an axis between the boxes of the two primitives; negative if they overlap [m].
double box_distance(const PairShape& shape, const Corners& x);
/// The same for the boxes of the ways from x to x + p that the corners go, as the first corner sees them.
double box_distance(const PairShape& shape, const Corners& x, const Corners& p);

/// Whether the two primitives are more than `reach` [m] apart along the line between their centres, which is quick to
/// tell. If not, they may still be.
bool apart_along_centres(const PairShape& shape, const Corners& x, double reach);

} // namespace rubato
