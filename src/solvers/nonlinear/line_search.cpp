#include "solvers/nonlinear/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

namespace {

constexpr double sufficient = 1e-4; // c1: fraction of the predicted decrease that is asked for
constexpr double curvature = 0.9; // c2: the slope must shrink at least to this
constexpr double flat
    = 1e-10; // relative size of the round-off in E: elements near rest are differences of much larger terms
constexpr double visible = 100; // decrease in units of that round-off from which a curvature can be told
constexpr int most_trials = 60;
constexpr double soft = 0.75; // of the slope that a full step took from E: the Hessian is stiffer than E
constexpr double farthest = 8, not_worth = 1.5; // in units of the full step

double noise_of(double f) { return flat * std::abs(f); }

/// x_new = x + a p, brought back to where x is to stay.
void go(IncrementalPotential& E, const Vector& x, const Vector& p, double a, Vector& x_new)
{
    x_new = x + a * p;
    E.retract(x_new);
}

} // namespace

LineSearchAlong::Point LineSearchAlong::evaluate(
    IncrementalPotential& E, const Vector& x, const Vector& p, double a, Vector& x_new)
{
    go(E, x, p, a, x_new);
    const double value = E.value_and_gradient(x_new, g_);
    return {a, value, std::isfinite(value) ? g_.dot(p) : std::numeric_limits<double>::infinity()};
}

LineSearchAlong::Result LineSearchAlong::backtracking(
    IncrementalPotential& E, const Vector& x, const Vector& p, double f, double slope, double cap, Vector& x_new)
{
    const double noise = noise_of(f);
    double a = std::min(1.0, cap);
    for (int trial = 0; trial < most_trials; ++trial, a *= 0.5) {
        go(E, x, p, a, x_new);
        const double value = E.value(x_new, f + noise);
        if (value <= f + sufficient * a * slope) return {a, value};
        if (value <= f + noise && -a * slope <= noise) {
            const double slope_there = (E.value_and_gradient(x_new, g_), g_.dot(p));
            if (std::abs(slope_there) <= curvature * std::abs(slope)) return {a, value, true};
        }
    }
    x_new = x;
    return {0, f};
}

LineSearchAlong::Result LineSearchAlong::farther(IncrementalPotential& E, const Vector& x, const Vector& p, double f,
    double slope, const Result& full, Vector& x_new)
{
    const double taken = (f - full.value) / -slope; // phi(a) = f + a slope + a^2 (1 - taken) (-slope), if quadratic
    if (!(taken > soft) || f - full.value <= visible * noise_of(f)) return full;
    const double lowest = taken < 1 ? 0.5 / (1 - taken) : std::numeric_limits<double>::infinity();
    const double wanted = std::min(farthest, lowest);
    way_ = wanted * p;
    follow_retraction(E, x, way_, there_);
    const double limit = E.max_step(x, way_);
    for (double a = wanted * (limit > 1 ? 1 : filter_margin * limit); a > not_worth; a *= 0.5) {
        go(E, x, p, a, there_);
        const double value = E.value(there_, full.value);
        if (!(value < full.value)) continue;
        x_new.swap(there_);
        return {a, value, false, lowest};
    }
    return full;
}

LineSearchAlong::Result LineSearchAlong::wolfe(
    IncrementalPotential& E, const Vector& x, const Vector& p, double f, double slope, double cap, Vector& x_new)
{
    const double noise = noise_of(f);
    const Point start{0, f, slope};
    Point previous = start;
    double a = std::min(1.0, cap);
    for (int trial = 0; trial < most_trials; ++trial) {
        const Point here = evaluate(E, x, p, a, x_new);
        if (here.value <= f + noise && -a * slope <= noise && std::abs(here.slope) <= curvature * std::abs(slope)) {
            return {a, here.value, true};
        }
        if (!(here.value <= f + sufficient * a * slope) || (trial > 0 && here.value >= previous.value)) {
            return zoom(E, x, p, start, previous, here, noise, x_new);
        }
        if (std::abs(here.slope) <= -curvature * slope) return {a, here.value};
        if (here.slope >= 0) return zoom(E, x, p, start, here, previous, noise, x_new);
        if (a >= cap) return {a, here.value}; // still falling at the cap: as far as one may go
        previous = here;
        a = std::min(2 * a, cap);
    }
    go(E, x, p, previous.a, x_new);
    return {previous.a, previous.value};
}

/// `low` satisfies the decrease condition and has the lowest value so far; the interval between `low` and `high` holds
/// points that satisfy the strong Wolfe conditions.
LineSearchAlong::Result LineSearchAlong::zoom(IncrementalPotential& E, const Vector& x, const Vector& p,
    const Point& start, Point low, Point high, double noise, Vector& x_new)
{
    for (int trial = 0; trial < most_trials; ++trial) {
        // Cubic interpolation where both ends are usable, otherwise halve; never closer than a tenth to an end.
        double a = 0.5 * (low.a + high.a);
        if (std::isfinite(high.value) && std::isfinite(high.slope)) {
            const double d1 = low.slope + high.slope - 3 * (low.value - high.value) / (low.a - high.a);
            const double radicand = d1 * d1 - low.slope * high.slope;
            if (radicand >= 0) {
                const double d2 = std::copysign(std::sqrt(radicand), high.a - low.a);
                const double cubic
                    = high.a - (high.a - low.a) * (high.slope + d2 - d1) / (high.slope - low.slope + 2 * d2);
                const double margin = 0.1 * std::abs(high.a - low.a);
                if (std::isfinite(cubic)) {
                    a = std::clamp(cubic, std::min(low.a, high.a) + margin, std::max(low.a, high.a) - margin);
                }
            }
        }
        const Point here = evaluate(E, x, p, a, x_new);
        if (here.value <= start.value + noise && -a * start.slope <= noise
            && std::abs(here.slope) <= curvature * std::abs(start.slope)) {
            return {a, here.value, true};
        }
        if (!(here.value <= start.value + sufficient * a * start.slope) || here.value >= low.value) {
            high = here;
        } else {
            if (std::abs(here.slope) <= -curvature * start.slope) return {a, here.value};
            if (here.slope * (high.a - low.a) >= 0) high = low;
            low = here;
        }
        if (std::abs(high.a - low.a) <= 1e-14 * std::max(low.a, high.a)) break;
    }
    // No point meets the curvature condition to working precision; the lowest one still decreases E (or a = 0).
    go(E, x, p, low.a, x_new);
    return {low.a, low.value};
}

} // namespace rubato
