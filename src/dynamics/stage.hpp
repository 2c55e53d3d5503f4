#pragma once

#include "base/types.hpp"

namespace rubato {

/// One implicit solve, the only thing an integrator asks of space:
///
///     y = argmin_x  1/2 ||x - x_tilde||^2_M  +  scale P(x, t)  +  scale tau D((x - x_anchor)/tau)
///
/// Every implicit method is a sequence of such stages; docs/architecture.md has the table.
struct Stage {
    Vector x_tilde; ///< inertial target [m]
    Vector x_anchor; ///< u = (x - x_anchor)/tau is the velocity that dissipation sees [m]
    double tau = 0; ///< [s], > 0
    double scale = 0; ///< s [s^2], > 0
    double t = 0; ///< the time at which potentials and scripts are evaluated [s]
    bool dissipative = true; ///< false: without the last term, conservative forces alone
};

} // namespace rubato
