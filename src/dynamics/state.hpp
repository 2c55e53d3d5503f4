#pragma once

#include "base/archive.hpp"
#include "base/types.hpp"

namespace rubato {

/// Where everything is and how fast it moves.
struct State {
    double t = 0; ///< time [s]
    Vector x; ///< positions of all unknowns [m]
    Vector v; ///< velocities of all unknowns [m/s]

    bool finite() const { return std::isfinite(t) && x.allFinite() && v.allFinite(); }

    void serialize(Archive& archive)
    {
        archive("t", t);
        archive("x", x);
        archive("v", v);
    }
};

} // namespace rubato
