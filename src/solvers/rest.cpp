#include "solvers/cpu_dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr double first_regularisation = 1e4; // [1/s^2]
constexpr double last_regularisation = 1e-8; // [1/s^2]; below it, inertia of the search is of no account
constexpr double gone = 100; // extents of the scene that nothing at rest moves away

} // namespace

/// Proximal steps: minimise P(x) + epsilon/2 ||x - x_k||^2_M from x_k with epsilon falling tenfold each time. The first
/// ones resemble implicit Euler steps without memory of velocity and carry the body into the basin of a minimum; the
/// last ones are Newton's method on P itself, with enough inertia left that rigid motions do not make it singular.
SolveReport CpuDynamics::rest(double t, const Vector& x, Vector& y)
{
    SolveReport total;
    double extent = 0; // of what has mass [m]
    for (Index i = 1; i < system_.mass.nodes(); ++i) {
        if (system_.mass.nodal()[i] > 0) extent = std::max(extent, (node(x, i) - node(x, 0)).norm());
    }
    const State here{t, x, Vector::Zero(x.size())};
    searcher().begin_step({.now = here, .h = search_time});
    Vector reference = x;
    y = x;
    for (double epsilon = first_regularisation; epsilon > 0.5 * last_regularisation; epsilon *= 0.1) {
        objective_.set_static(t, epsilon, reference);
        const SolveReport report = searcher().minimise(objective_, reference, y);
        total.merge(report);
        total.residual = report.residual;
        // A body that nothing holds drifts away by g/epsilon.
        if (largest_nodal_norm(y - x) > gone * extent) total.reason = StopReason::unbalanced;
        if (!total.ok()) return total;
        reference = y;
    }
    objective_.set_static(t, 0, y);
    objective_.value_and_gradient(y, force_);
    system_.mass.solve(force_, dx_);
    system_.prescription.set_zero(dx_);
    constexpr double balanced = 1e-3; // [m/s^2]
    if (!(largest_nodal_norm(dx_) <= balanced)) total.reason = StopReason::unbalanced;
    return total;
}

} // namespace rubato
