#include "lab/two_springs.hpp"

#include "potentials/motions.hpp"
#include "potentials/springs.hpp"

#include <cmath>
#include <numbers>

namespace rubato {

LabProblem two_springs_problem(double stiffness, double mass, double x, double v)
{
    constexpr double rest_length = std::numbers::sqrt2;
    System system;
    system.mass = Mass(Vector::Constant(3, mass));
    system.potentials.push_back(
        std::make_unique<Springs>(std::vector<Spring>{{0, 1, stiffness, rest_length}, {2, 1, stiffness, rest_length}}));
    const auto rest = std::make_shared<Rest>();
    system.prescription.add(0, Vec3(0, -1, 0), rest);
    system.prescription.add(1, Vec3::Zero(), rest, {false, true, true});
    system.prescription.add(2, Vec3(0, 1, 0), rest);
    system.prescription.finish(system.unknowns());

    State start{.t = 0, .x = Vector::Zero(9), .v = Vector::Zero(9)};
    start.x << 0, -1, 0, x, 0, 0, 0, 1, 0;
    start.v[3] = v;
    return {.dynamics = std::make_unique<CpuDynamics>(std::move(system), exact_solves()), .start = std::move(start)};
}

double two_springs_energy(double stiffness, double x)
{
    const double stretch = std::sqrt(x * x + 1) - std::numbers::sqrt2;
    return stiffness * stretch * stretch;
}

double two_springs_slope(double stiffness, double x)
{
    const double length = std::sqrt(x * x + 1);
    return 2 * stiffness * (length - std::numbers::sqrt2) * x / length;
}

/// E'' = 2 k (1 - sqrt 2 / l^3), l = sqrt(x^2 + 1), vanishes at l^3 = sqrt 2: on [-1, 1] the slope is greatest at
/// x_max = -sqrt(2^(1/3) - 1). The intersection (001 eq. 54) is found by bisection.
double two_springs_beta()
{
    const double x_max = -std::sqrt(std::cbrt(2.0) - 1), steepest = two_springs_slope(1, x_max);
    double below = 1, above = 10;
    while (above - below > 1e-15 * above) {
        const double middle = 0.5 * (below + above);
        if (middle == below || middle == above) break;
        const bool under_the_line = two_springs_energy(1, middle) < two_springs_energy(1, 0) + (middle + 1) * steepest;
        (under_the_line ? below : above) = middle;
    }
    return 0.5 * (below + above);
}

} // namespace rubato
