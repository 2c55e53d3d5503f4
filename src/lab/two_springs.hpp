#pragma once

#include "lab/problem.hpp"

namespace rubato {

/// Two springs of rest length sqrt 2 from (0, -1) and (0, 1) to a node that moves along x (001 App. C, Fig. 14):
///
///     E_test(x) = k (sqrt(x^2 + 1) - sqrt 2)^2,
///
/// with minima at x = -1 and x = 1 and a hill between them. Three nodes, the outer two fixed, the middle one (node 1)
/// held in y and z: the springs are the ordinary ones.
LabProblem two_springs_problem(double stiffness, double mass, double x, double v);

/// E_test and its derivative by hand, for what the paper proves with them.
double two_springs_energy(double stiffness, double x); ///< [J]
double two_springs_slope(double stiffness, double x); ///< [N]

/// 001 Lemma 2: where the line through (-1, E_test(0)) with the steepest slope on [-1, 1] meets E_test again. Steps of
/// backward Euler from beyond it never raise the energy. It depends on no parameter; the paper says 2.209.
double two_springs_beta();

} // namespace rubato
