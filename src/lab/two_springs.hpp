#pragma once

#include "lab/along_x.hpp"
#include "lab/problem.hpp"

#include <cmath>
#include <numbers>

namespace rubato {

/// Two springs of rest length sqrt 2 from (0, -1) and (0, 1) to a node that moves along x (001 App. C, Fig. 14):
///
///     E_test(x) = k (l - sqrt 2)^2,   l = sqrt(x^2 + 1),
///
/// with minima at x = -1 and x = 1 and a hill between them. l - sqrt 2 is written (x - 1)(x + 1)/(l + sqrt 2), which
/// keeps its digits near the minima, where backward Euler comes to rest and the line search compares energies.
struct TwoSprings {
    static constexpr std::string_view name = "two-springs";
    static constexpr EnergyKind kind = EnergyKind::elastic;
    static constexpr bool positive = false;

    double stiffness; ///< k [N/m]

    Jet2 at(double x) const
    {
        const double l = std::sqrt(x * x + 1), stretch = (x - 1) * (x + 1) / (l + std::numbers::sqrt2);
        return {
            stiffness * stretch * stretch,
            2 * stiffness * stretch * x / l,
            2 * stiffness * (1 - std::numbers::sqrt2 / (l * l * l)),
        };
    }
};

/// One node of `mass` [kg] on two springs of `stiffness` [N/m], from x [m] with velocity v [m/s].
LabProblem two_springs_problem(double stiffness, double mass, double x, double v);

/// 001 Lemma 2: where the line through (-1, E_test(0)) with the steepest slope on [-1, 1] meets E_test again. Steps of
/// backward Euler from beyond it never raise the energy. It depends on no parameter; the paper says 2.209.
double two_springs_beta();

} // namespace rubato
