#pragma once

#include "lab/along_x.hpp"
#include "lab/problem.hpp"

namespace rubato {

/// P(x) = 1/2 k x^2, force -k x (000 sec. 3.3).
struct HookesSpring {
    static constexpr std::string_view name = "hookes-spring";
    static constexpr EnergyKind kind = EnergyKind::elastic;
    static constexpr bool positive = false;

    double stiffness; ///< k [N/m]

    Jet2 at(double x) const { return {0.5 * stiffness * x * x, stiffness * x, stiffness}; }
};

/// m x'' = -k x - c x' along x; y and z feel no force and stay at rest.
struct Oscillator {
    double stiffness = 1; ///< k [N/m], > 0
    double mass = 1; ///< m [kg], > 0
    double drag = 0; ///< c [kg/s], >= 0
};

/// The oscillator, let go at x = 1 m with no speed. Its stages are quadratic: plain Newton steps solve them to the last
/// digit of the answer, however small it is beside where the search began.
LabProblem oscillator_problem(const Oscillator& oscillator);

/// Where it is after a time t [s], from x_0 [m] and v_0 [m/s]: the closed form, damped below, at and above criticality.
State exact_state(const Oscillator& oscillator, double x_0, double v_0, double t);

} // namespace rubato
