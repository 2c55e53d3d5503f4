#include "lab/two_springs.hpp"

namespace rubato {

LabProblem two_springs_problem(double stiffness, double mass, double x, double v)
{
    System system;
    system.mass = Mass(Vector::Constant(1, mass));
    system.potentials.push_back(std::make_unique<AlongX<TwoSprings>>(0, TwoSprings{stiffness}));
    return {.dynamics = std::make_unique<CpuDynamics>(std::move(system), exact_solves()),
        .start = {.t = 0, .x = Vec3(x, 0, 0), .v = Vec3(v, 0, 0)}};
}

/// E'' vanishes at l^3 = sqrt 2: on [-1, 1] the slope is greatest at x_max = -sqrt(2^(1/3) - 1). The intersection
/// (001 eq. 54) is found by bisection.
double two_springs_beta()
{
    const TwoSprings springs{1};
    const double steepest = springs.at(-std::sqrt(std::cbrt(2.0) - 1)).slope, top = springs.at(0).value;
    double below = 1, above = 10;
    for (;;) {
        const double middle = 0.5 * (below + above);
        if (middle == below || middle == above) return middle;
        (springs.at(middle).value < top + (middle + 1) * steepest ? below : above) = middle;
    }
}

} // namespace rubato
