#include "solvers/nonlinear/pace.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr double invisible = 1e-13; // predicted decrease relative to E that double precision cannot show
constexpr int most_flat_steps = 4; // steps without a visible decrease before we call it round-off
constexpr int most_stalled_steps = 10; // by round-off, none of them half as long as the shortest before

/// How exactly to solve next (after Eisenstat and Walker 1996, choice 1, in energies instead of residuals): as well as
/// the quadratic model foretold the last step. A solve with relative energy-norm error eta leaves eta^2 of the decrease
/// behind; more precision than the model has is wasted, less makes Newton's method a slow gradient descent. Along a
/// solution of H p = -g by conjugate gradients, exact or not, p.H p = -g.p, so that a step a p promises -a (1 - a/2)
/// g.p.
double forcing_term(double decrease, double slope, double a)
{
    const double promised = -a * (1 - a / 2) * slope, mismatch = std::abs(decrease - promised) / (-slope / 2);
    return std::clamp(std::sqrt(mismatch), exact_enough, roughest);
}

} // namespace

bool Pace::at_round_off_after(
    const LineSearchAlong::Result& found, double f, double slope, double longest, double tolerance)
{
    // What E loses by round-off cannot be told by its size where E itself is next to nothing. It can by two signs:
    // steps that no longer get shorter, and decreases that the slope does not explain.
    const bool shorter = longest < 0.5 * shortest;
    const double explained = (f - found.value) / (-found.a * slope); // 1/2 by a quadratic model
    if (shorter) shortest = longest;
    if (shorter || longest > doubtful * tolerance)
        stalled_steps = 0;
    else if (!(explained > 0.1 && explained < 2) || found.by_slope)
        ++stalled_steps;
    projection.after_step(longest <= near * tolerance, found.a >= 1 && longest > 0.5 * before);
    before = longest;
    forcing = slope < 0 ? forcing_term(f - found.value, slope, found.a) : roughest;
    flat_steps = found.by_slope || -slope <= invisible * std::abs(f) ? flat_steps + 1 : 0;
    return stalled_steps >= most_stalled_steps || flat_steps >= most_flat_steps;
}

} // namespace rubato
