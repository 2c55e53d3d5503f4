#pragma once

#include "lab/along_x.hpp"
#include "lab/problem.hpp"

namespace rubato {

/// P(x) = 1/2 k x^2 for x < 0, nothing for x >= 0: the simplest contact (000 eq. 14 and App. E). The paper prints
/// x > 0, but lets the particle come from there at v = -1: the wall acts on x < 0.
struct QuadraticWall {
    static constexpr std::string_view name = "quadratic-wall";
    static constexpr EnergyKind kind = EnergyKind::contact;
    static constexpr bool positive = false;

    double stiffness; ///< k [N/m]

    Jet2 at(double x) const
    {
        if (x >= 0) return {0, 0, 0};
        return {0.5 * stiffness * x * x, stiffness * x, stiffness};
    }
};

/// A particle of 1 kg at x = phase * h in front of the wall, flying toward it at 1 m/s; k = hbar/h^2. Everything it
/// does depends on hbar = h^2 k/m and on the phase alone.
LabProblem quadratic_wall_problem(double hbar, double phase, double h);

} // namespace rubato
