#pragma once

#include "lab/along_x.hpp"
#include "lab/problem.hpp"

#include <cmath>

namespace rubato {

/// The barrier of incremental potential contact in one dimension (000 App. E): with u = x/dhat,
///
///     P(x) = -kappa (u - 1)^2 ln u  for 0 < u < 1,  0 for u >= 1,  infinite for u <= 0.
///
/// It is convex: every term of P'' is positive below dhat.
struct LogarithmicWall {
    static constexpr std::string_view name = "logarithmic-wall";
    static constexpr EnergyKind kind = EnergyKind::contact;
    static constexpr bool positive = true;

    double kappa; ///< [J]
    double dhat; ///< activation distance [m]

    Jet2 at(double x) const
    {
        if (!(x > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
        if (x >= dhat) return {0, 0, 0};
        const double u = x / dhat, log_u = std::log(u), q = (u - 1) / u;
        return {
            -kappa * (u - 1) * (u - 1) * log_u,
            -kappa / dhat * (u - 1) * (2 * log_u + q),
            kappa / (dhat * dhat) * (q * q - 4 * q - 2 * log_u),
        };
    }
};

/// A particle of 1 kg at x = dhat + phase * h in front of the wall, flying toward it at 1 m/s.
LabProblem logarithmic_wall_problem(const LogarithmicWall& wall, double phase, double h);

} // namespace rubato
