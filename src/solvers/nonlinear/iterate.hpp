#pragma once

#include "base/types.hpp"

namespace rubato {

/// Where an iteration of Newton's method stands: a phase reads what those before it wrote.
struct Iterate {
    Vector y; ///< the iterate [m]
    double f = 0; ///< E(y) [kg m^2]
    Vector g; ///< grad E(y) [kg m]
    double imbalance = 0; ///< largest nodal |M^-1 g| [m]
    Vector p; ///< search direction [m]
    double longest = 0; ///< largest nodal |p| [m]
    bool certain = false; ///< p is a Newton step whose length measures the distance to the solution
    bool last = false; ///< so short that no other needs to follow
    double slope = 0; ///< g . p, negative for descent [kg m^2]
    double cap = 0; ///< how much of p may be taken: beyond, y leaves the domain
};

} // namespace rubato
