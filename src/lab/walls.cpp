#include "lab/logarithmic_wall.hpp"
#include "lab/quadratic_wall.hpp"

namespace rubato {

namespace {

/// One particle of 1 kg at x, flying toward the wall at 1 m/s.
LabProblem incoming(std::unique_ptr<Potential> wall, double x)
{
    System system;
    system.mass = Mass(Vector::Ones(1));
    system.potentials.push_back(std::move(wall));
    return {.dynamics = std::make_unique<CpuDynamics>(std::move(system), exact_solves()),
        .start = {.t = 0, .x = Vec3(x, 0, 0), .v = Vec3(-1, 0, 0)}};
}

} // namespace

LabProblem quadratic_wall_problem(double hbar, double phase, double h)
{
    return incoming(std::make_unique<AlongX<QuadraticWall>>(0, QuadraticWall{hbar / (h * h)}), phase * h);
}

LabProblem logarithmic_wall_problem(const LogarithmicWall& wall, double phase, double h)
{
    return incoming(std::make_unique<AlongX<LogarithmicWall>>(0, wall), wall.dhat + phase * h);
}

} // namespace rubato
