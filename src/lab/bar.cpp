#include "lab/bar.hpp"

#include "lab/logarithmic_wall.hpp"
#include "math/log1p.hpp"
#include "potentials/damping.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rubato {

UniaxialBar::UniaxialBar(Index elements, double element_length, double stiffness)
    : elements_(elements)
    , dx_(element_length)
    , stiffness_(stiffness)
{
}

void UniaxialBar::pattern(BlockPattern& pattern) const
{
    for (Index e = 0; e < elements_; ++e) pattern.add(e, e + 1);
}

void UniaxialBar::find_slots(const BlockMatrix& matrix)
{
    slots_.clear();
    for (Index e = 0; e < elements_; ++e) {
        slots_.push_back({matrix.slot(e, e), matrix.slot(e, e + 1), matrix.slot(e + 1, e)});
    }
    slots_.push_back({matrix.slot(elements_, elements_), -1, -1});
    slots_of_ = matrix.pattern_id();
}

/// Tension dP_e/dx_{e+1} = E/2 (F - 1/F), stiffness E/(2 dx) (1 + 1/F^2). One plain loop: a bar of thirty elements is
/// too short for threads, and only one of nine entries of each block is not zero. Energy and tension are written in the
/// strain F - 1: near rest F^2 - 1 - 2 ln F would be all round-off, and the line search would see noise.
void UniaxialBar::add(const Vector& x, double /*t*/, Assembly& out)
{
    if (out.hessian != nullptr && out.hessian->pattern_id() != slots_of_) find_slots(*out.hessian);
    double value = 0;
    for (Index e = 0; e < elements_; ++e) {
        const Eigen::Index a = 3 * Eigen::Index{e}, b = a + 3;
        const double strain = (x[b] - x[a] - dx_) / dx_, F = 1 + strain;
        if (!(F > 0)) {
            if (out.value != nullptr) *out.value = std::numeric_limits<double>::infinity();
            return;
        }
        if (out.value != nullptr) value += dx_ * stiffness_ / 4 * (strain * strain + 2 * x_minus_log1p(strain));
        if (out.gradient != nullptr) {
            const double tension = out.gradient_weight * stiffness_ / 2 * strain * (1 + 1 / F);
            (*out.gradient)[a] -= tension;
            (*out.gradient)[b] += tension;
        }
        if (out.hessian != nullptr) {
            const double k = out.hessian_weight * stiffness_ / (2 * dx_) * (1 + 1 / (F * F));
            const Slots& s = slots_[static_cast<std::size_t>(e)];
            out.hessian->block(s.diagonal)(0, 0) += k;
            out.hessian->block(s.upper)(0, 0) -= k;
            out.hessian->block(s.lower)(0, 0) -= k;
            out.hessian->block(slots_[static_cast<std::size_t>(e) + 1].diagonal)(0, 0) += k;
        }
    }
    if (out.value != nullptr) *out.value += out.value_weight * value;
}

double UniaxialBar::max_step(const Vector& x, const Vector& p) const
{
    double cap = std::numeric_limits<double>::infinity();
    for (Index e = 0; e < elements_; ++e) {
        const Eigen::Index a = 3 * Eigen::Index{e}, b = a + 3;
        const double shortening = p[a] - p[b];
        if (shortening > 0) cap = std::min(cap, (x[b] - x[a]) / shortening);
    }
    return cap;
}

LabProblem bar_problem(const BarOptions& options)
{
    const Index nodes = options.elements + 1;
    const double dx = options.length / options.elements;
    Vector mass = Vector::Constant(nodes, options.mass / options.elements);
    mass[0] /= 2;
    mass[options.elements] /= 2;

    System system;
    system.mass = Mass(mass);
    const double stiffness = options.mass * options.wave_speed * options.wave_speed / options.length;
    system.potentials.push_back(std::make_unique<UniaxialBar>(options.elements, dx, stiffness));
    system.potentials.push_back(
        std::make_unique<AlongX<LogarithmicWall>>(0, LogarithmicWall{options.kappa, options.dhat}));
    if (options.damping == BarDamping::drag) {
        system.dissipations.push_back(std::make_unique<Drag>(system.mass, options.damping_rate));
    } else if (options.damping == BarDamping::rayleigh) {
        system.dissipations.push_back(std::make_unique<RayleighDamping>(
            std::vector<Potential*>{system.potentials[0].get()}, nodes, options.damping_rate));
    }

    State start{.t = 0, .x = Vector::Zero(system.unknowns()), .v = Vector::Zero(system.unknowns())};
    for (Index i = 0; i < nodes; ++i) {
        start.x[3 * i] = options.gap + i * dx;
        start.v[3 * i] = -options.speed;
    }
    NewtonOptions newton = exact_solves(options.velocity_tolerance);
    newton.linear.method = options.linear;
    return {.dynamics = std::make_unique<CpuDynamics>(std::move(system), newton), .start = std::move(start)};
}

double mean_velocity(const CpuDynamics& dynamics, const State& state)
{
    Vec3 linear, angular;
    dynamics.momenta(state, linear, angular);
    return linear.x() / dynamics.system().mass.nodal().sum();
}

std::vector<double> modal_energies(const BarOptions& options, const State& state)
{
    const Index n = options.elements;
    const double dx = options.length / n;
    std::vector<double> energies;
    for (Index j = 0; j <= n; ++j) {
        double norm = 0, u = 0, v = 0; // phi^T M phi, phi^T M (x - X), phi^T M v
        for (Index i = 0; i <= n; ++i) {
            const double m = options.mass / n * (i == 0 || i == n ? 0.5 : 1);
            const double phi = std::cos(std::numbers::pi * i * j / n);
            norm += m * phi * phi;
            u += m * phi * (state.x[3 * i] - i * dx);
            v += m * phi * state.v[3 * i];
        }
        const double omega = 2 * options.wave_speed / dx * std::sin(std::numbers::pi * j / (2 * n));
        energies.push_back((v * v + omega * omega * u * u) / (2 * norm));
    }
    return energies;
}

} // namespace rubato
