#pragma once

#include "base/errors.hpp"

#include <vector>

namespace rubato {

/// A Butcher tableau (A, b, c) of a diagonally implicit Runge-Kutta method:
///
///     Z_i = z + h sum_j a_ij f(t + c_j h, Z_j),     z' = z + h sum_i b_i f(t + c_i h, Z_i)
struct Tableau {
    std::vector<std::vector<double>> A; ///< square, lower triangular, non-negative diagonal
    std::vector<double> b; ///< weights, sum 1
    std::vector<double> c; ///< row sums of A

    int stages() const { return static_cast<int>(b.size()); }
    /// The last row of A is b: the end of the step is the last stage.
    bool stiffly_accurate() const;
    /// The first row stands at the start of the step and solves nothing, the second does, and the order is at most two:
    /// what both dissipate is one term (dirk_stages.cpp).
    bool shares_first() const;
    /// 0 to 4, by the order conditions; methods of higher order count as 4.
    int order() const;
};

/// Checks a tableau and completes it: an empty c means the row sums of A. Throws InputError with every mistake, each
/// naming its entry (A[1][2], b, c[0]).
Tableau checked_tableau(std::vector<std::vector<double>> A, std::vector<double> b, std::vector<double> c = {});

/// The adjoint method (e b^T - A, b), its stages in reverse order so that it is lower triangular again: a step of it
/// undoes a step of the method taken backwards. Diagonally implicit only if a_ij = b_j for j < i and a_ii <= b_i; any
/// other tableau is an InputError that names each wrong entry.
Tableau adjoint(const Tableau& tableau);

Tableau sdirk2_tableau(); ///< Alexander's two-stage method: order two, L-stable, stiffly accurate
Tableau tr_bdf2_tableau(); ///< trapezoidal rule, then BDF2, in one step: order two, L-stable, stiffly accurate
Tableau norsett_tableau(); ///< Norsett's two-stage method: order three, A-stable, not stiffly accurate

} // namespace rubato
