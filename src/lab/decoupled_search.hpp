#pragma once

#include <cstdint>
#include <vector>

namespace rubato {

/// A Runge-Kutta method whose adjoint is diagonally implicit too is a chain of substeps of length b_i h, each of which
/// evaluates once, at g_i h after its start: a_ij = b_j for j < i, a_ii = g_i, and 0 <= g_i <= b_i so that neither the
/// method nor its adjoint (substeps in reverse order, evaluated at (b_i - g_i) h) looks back in time. Stiffly accurate:
/// g_s = b_s.
struct SubstepChain {
    std::vector<double> b, g;

    std::vector<std::vector<double>> A() const; ///< the tableau's matrix
    /// Sum of g_i^2 - (b_i - g_i)^2: zero for order two, when the b_i sum to one.
    double order_defect() const;
};

/// R(ih) = rho e^{i phi} of the chain on the oscillator x'' = -x with step h, and of its decoupled symplectic method
/// the trace, cos(phi) (rho + 1/rho). docs/derivations/decoupled_second_order.md derives both.
double phase(const SubstepChain& chain, double h);
double modulus(const SubstepChain& chain, double h);
double decoupled_trace(const SubstepChain& chain, double h);

/// The largest |trace| - 2 over all h: zero or less means stably symplectic for all steps.
double worst_excess(const SubstepChain& chain);

/// What a search over second-order, stiffly accurate chains found.
struct ChainSearch {
    SubstepChain best;
    double excess = 0; ///< the smallest worst_excess
    long tried = 0; ///< chains looked at
};

/// The step at which a chain is asked to damp: an oscillator that turns by ten radians in a step.
inline constexpr double damping_step = 10;

/// Searches chains of `stages` substeps for the smallest excess among those that keep at most `kept` (in (0, 1]) of the
/// amplitude in a step h = damping_step: with kept = 1 the answer is a chain without any damping, whose decoupled
/// method is the chain itself. Starts from `starts` random chains, each improved until nothing changes. The result is a
/// function of the arguments.
ChainSearch search_chains(int stages, double kept, int starts, std::uint64_t seed);

} // namespace rubato
