#include "lab/oscillator.hpp"

#include "potentials/damping.hpp"

#include <complex>

namespace rubato {

LabProblem oscillator_problem(const Oscillator& oscillator)
{
    System system;
    system.mass = Mass(Vector::Constant(1, oscillator.mass));
    system.potentials.push_back(std::make_unique<AlongX<HookesSpring>>(0, HookesSpring{oscillator.stiffness}));
    if (oscillator.drag > 0) {
        system.dissipations.push_back(std::make_unique<Drag>(system.mass, oscillator.drag / oscillator.mass));
    }
    NewtonOptions options = exact_solves();
    options.line_search = LineSearch::none;
    options.projected = false;
    options.safeguards = false;
    options.better_guess = false;
    return {.dynamics = std::make_unique<CpuDynamics>(std::move(system), options),
        .start = {.t = 0, .x = Vec3(1, 0, 0), .v = Vec3::Zero()}};
}

/// x = e^{-g t} (x_0 C + (v_0 + g x_0) S),  v = e^{-g t} (v_0 C - (g v_0 + w^2 x_0) S),  with g = c/2m, w^2 = k/m,
/// r^2 = g^2 - w^2, C = cosh(r t), S = sinh(r t)/r. One formula for real, zero and imaginary r.
State exact_state(const Oscillator& oscillator, double x_0, double v_0, double t)
{
    const double g = 0.5 * oscillator.drag / oscillator.mass, w2 = oscillator.stiffness / oscillator.mass;
    const std::complex<double> r = std::sqrt(std::complex<double>(g * g - w2, 0));
    const double C = std::cosh(r * t).real();
    const double S = std::abs(r * t) < 1e-8 ? t : (std::sinh(r * t) / r).real();
    const double decay = std::exp(-g * t);
    return {.t = t,
        .x = Vec3(decay * (x_0 * C + (v_0 + g * x_0) * S), 0, 0),
        .v = Vec3(decay * (v_0 * C - (g * v_0 + w2 * x_0) * S), 0, 0)};
}

} // namespace rubato
