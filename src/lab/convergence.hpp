#pragma once

#include "dynamics/integrator.hpp"
#include "lab/problem.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// How fast the error of a method falls when its steps are halved.
namespace rubato {

/// A run with steps of length h.
struct ConvergencePoint {
    double h = 0; ///< [s]
    double error = 0; ///< [m]; NaN if the run could not be finished
    double order = 0; ///< log2 of what halving the step to h divided the error by; NaN where that says nothing
    std::string failure = {}; ///< why the run could not be finished
};

struct ConvergenceCurve {
    std::string method;
    std::vector<ConvergencePoint> points; ///< the longest step first
    double order = 0; ///< slope of log(error) over log(h) at the short end, by least squares; NaN if there is none
};

/// Runs `error_at` for h, h/2, ..., h/2^halvings. A run that fails throws a std::runtime_error, which becomes a point
/// without an error. Errors below three times `floor`, what the reference itself is off by [m], say nothing of order.
ConvergenceCurve measured_convergence(
    const std::string& method, double h, int halvings, double floor, const std::function<double(double h)>& error_at);

/// A solution to compare with, and what it is off by itself [m].
struct Reference {
    Vector x; ///< positions at the end [m]
    double own_error = 0; ///< estimated from the same method with steps twice as long [m]
};

/// From runs of a method of this order: `end_at` gives the positions at the end with steps of length h [s].
Reference finest_run(double h, int order, const std::function<Vector(double h)>& end_at);

/// The largest distance of a node from where it should be [m].
double largest_nodal_error(const Vector& x, const Vector& exact);

/// The state after `duration` [s] in equal steps of about h [s]. Throws std::runtime_error if the run fails.
State end_of_run(CpuDynamics& dynamics, const State& start, Integrator& integrator, double h, double duration);

/// A lab problem that convergence can be measured on.
struct ConvergenceProblem {
    std::string name, summary;
    std::function<LabProblem()> make;
    double duration = 1; ///< [s]
    double h = 0.1; ///< the longest step [s]
    std::function<State(double t)> exact = {}; ///< the closed form; empty: there is none
};

const std::vector<ConvergenceProblem>& convergence_problems();

} // namespace rubato
