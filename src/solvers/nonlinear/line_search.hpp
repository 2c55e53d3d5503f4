#pragma once

#include "dynamics/incremental_potential.hpp"

namespace rubato {

/// Part of the way to the boundary of the domain that a step may take.
inline constexpr double filter_margin = 0.9;

/// Where E retracts x + p, makes p the straight way to what comes of it: that is what step filters are asked about.
inline void follow_retraction(IncrementalPotential& E, const Vector& x, Vector& p, Vector& there)
{
    there = x + p;
    if (E.retract(there)) p = there - x;
}

enum class LineSearch { none, backtracking, wolfe };

/// One search along x + a p, with its work vectors.
///
/// phi(a) = E(x + a p), slope(a) = phi'(a); f = phi(0). Near a minimum the decrease of E drowns in round-off long
/// before the gradient does, so points whose value equals f to within `noise` are judged by their slope instead
/// (approximate Wolfe conditions, Hager and Zhang 2005).
class LineSearchAlong {
public:
    /// The step found: a = 0 when there is none.
    struct Result {
        double a = 0;
        double value = 0; ///< E there
        bool by_slope = false; ///< accepted by the slope test: E shows no more decrease
        double lowest = 1; ///< where E looks lowest along p, if that is known to be beyond 1
    };

    /// `cap`: steps beyond it leave the domain. x_new receives x + a p.
    Result backtracking(
        IncrementalPotential& E, const Vector& x, const Vector& p, double f, double slope, double cap, Vector& x_new);
    /// Strong Wolfe conditions (Nocedal and Wright, Numerical Optimization, algorithms 3.5 and 3.6); tries a = 1 first
    /// and may go beyond it.
    Result wolfe(
        IncrementalPotential& E, const Vector& x, const Vector& p, double f, double slope, double cap, Vector& x_new);
    /// After a full step, found by backtracking. A right Hessian foretells half of what the slope alone would take from
    /// E. If the step took more than three quarters, E is softer along p than the Hessian says, as projected ones do:
    /// goes on to where its true curvature leads, up to 8 p, or half or a quarter as far, if E is lower there.
    Result farther(IncrementalPotential& E, const Vector& x, const Vector& p, double f, double slope,
        const Result& full, Vector& x_new);

private:
    struct Point {
        double a, value, slope;
    };
    Point evaluate(IncrementalPotential& E, const Vector& x, const Vector& p, double a, Vector& x_new);
    Result zoom(IncrementalPotential& E, const Vector& x, const Vector& p, const Point& start, Point low, Point high,
        double noise, Vector& x_new);

    Vector g_, way_, there_;
};

} // namespace rubato
