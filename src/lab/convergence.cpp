#include "lab/convergence.hpp"

#include "base/errors.hpp"
#include "control/fixed.hpp"
#include "lab/cubic_spring.hpp"
#include "lab/oscillator.hpp"
#include "lab/squared_spring.hpp"
#include "lab/two_springs.hpp"
#include "simulation/simulation.hpp"

#include <cmath>
#include <limits>

namespace rubato {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t fitted_points = 3; // the short end, where the leading term of the error rules

/// Slope by least squares over the last points that can be trusted.
double fitted_order(const std::vector<ConvergencePoint>& points, double floor)
{
    std::vector<double> x, y;
    for (auto point = points.rbegin(); point != points.rend() && x.size() < fitted_points; ++point) {
        if (!(point->error > 3 * floor)) continue;
        x.push_back(std::log(point->h));
        y.push_back(std::log(point->error));
    }
    if (x.size() < 2) return missing;
    const auto n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i];
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

std::vector<ConvergenceProblem> table()
{
    static constexpr Oscillator plain{.stiffness = 4, .mass = 1}, damped{.stiffness = 4, .mass = 1, .drag = 0.4};
    return {
        {.name = "oscillator",
            .summary = "a mass on a spring, one third of a period; closed form",
            .make = [] { return oscillator_problem(plain); },
            .duration = 1,
            .h = 0.1,
            .exact = [](double t) { return exact_state(plain, 1, 0, t); }},
        {.name = "damped-oscillator",
            .summary = "the same with drag; closed form",
            .make = [] { return oscillator_problem(damped); },
            .duration = 1,
            .h = 0.1,
            .exact = [](double t) { return exact_state(damped, 1, 0, t); }},
        {.name = "cubic-spring",
            .summary = "a stiffening spring and a stiffening damper (Adaptive Time-Stepping with Linearized Force "
                       "Error Estimation, sec. 4)",
            .make = cubic_spring_problem,
            .duration = 0.5,
            .h = 0.02},
        {.name = "squared-spring",
            .summary = "a squared spring in space (Dinev, Liu, Kavan: Stabilizing Integrators, eq. 7)",
            .make = squared_spring_problem,
            .duration = 0.01,
            .h = 5e-4},
        {.name = "two-springs",
            .summary = "two springs with a hill between their minima (Dinev, Liu, Kavan, App. C)",
            .make = [] { return two_springs_problem(10, 1, 2, 0); },
            .duration = 1,
            .h = 0.05},
    };
}

} // namespace

ConvergenceCurve measured_convergence(
    const std::string& method, double h, int halvings, double floor, const std::function<double(double h)>& error_at)
{
    ConvergenceCurve curve{.method = method, .points = {}, .order = missing};
    for (int i = 0; i <= halvings; ++i) {
        ConvergencePoint point{.h = std::ldexp(h, -i), .error = missing, .order = missing};
        try {
            point.error = error_at(point.h);
            if (!std::isfinite(point.error)) point.error = missing;
        } catch (const InputError&) {
            throw;
        } catch (const std::runtime_error& error) {
            point.failure = error.what();
        }
        if (i > 0 && point.error > 3 * floor) {
            const double ratio = curve.points.back().error / point.error; // NaN if the longer step failed
            if (ratio > 0) point.order = std::log2(ratio);
        }
        curve.points.push_back(std::move(point));
    }
    curve.order = fitted_order(curve.points, floor);
    return curve;
}

Reference finest_run(double h, int order, const std::function<Vector(double h)>& end_at)
{
    Reference reference{.x = end_at(h), .own_error = 0};
    reference.own_error = largest_nodal_error(end_at(2 * h), reference.x) / (std::ldexp(1.0, order) - 1);
    return reference;
}

double largest_nodal_error(const Vector& x, const Vector& exact) { return largest_nodal_norm(x - exact); }

State end_of_run(CpuDynamics& dynamics, const State& start, Integrator& integrator, double h, double duration)
{
    const double steps = std::max(1.0, std::round(duration / h));
    FixedStep controller(duration / steps);
    Simulation simulation(dynamics, integrator, controller, start);
    const RunResult result = simulation.run(start.t + duration);
    if (!result.finished) throw std::runtime_error(result.why);
    return simulation.state();
}

const std::vector<ConvergenceProblem>& convergence_problems()
{
    static const std::vector<ConvergenceProblem> problems = table();
    return problems;
}

} // namespace rubato
