#pragma once

#include "geometry/distance.hpp"

#include <limits>

namespace rubato {

/// Continuous collision detection by conservative advancement (additive CCD, Li et al. 2021): corners move straight
/// from x to x + p.
///
/// Returns a time t in (0, 1] up to which the primitives stay apart: their distance, less `separation`, keeps more than
/// the fraction `rest` of what it was at the start, or of `most` [m] if that is less. More than 1 (infinity) if that
/// holds for the whole way. The time is never later than the first moment at which the distance falls that low, and
/// earlier by little. 0 if they are not apart at the start.
double time_of_impact(PairKind kind, const Corners& x, const Corners& p, double separation, double rest,
    double most = std::numeric_limits<double>::infinity());

} // namespace rubato
