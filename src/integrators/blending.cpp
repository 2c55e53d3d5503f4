#include "integrators/blending.hpp"

#include "integrators/end_point.hpp"
#include "integrators/energy_error.hpp"

#include <cmath>
#include <limits>

namespace rubato {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double farthest = 0.9; // of the way to where one may not be that a blend may go

} // namespace

/// 001 sec. 4.1 and Alg. 1, with e = H(x', v') - target (eq. 20) and |e| <= tolerance |H(x, v)| near enough (eq. 24):
///
///     IM near enough      (x', v') = IM, the implicit midpoint step
///     e(IM) > 0           (x', v') = (1 - a) IM + a BE, BE a backward Euler step            (eq. 21, 22)
///     e(IM) < 0           (x', v') = (1 - a) FE + a IM, FE a forward Euler step
///
/// a by bisection. If even BE has too much energy it is taken, and later steps remove the rest; if even FE has too
/// little, the one of the two that has more. A point that one may not go to counts as one of infinite energy, so that
/// the blend moves on toward the method that was solved for; so does one next to it, where missing energy would be
/// found in a barrier, at a gap or a volume of next to nothing, and the following step would meet forces to match.
/// Second order: e(IM) = O(h^3) asks for a = O(h) of a method whose error is O(h^2). Dissipated: the same blend of what
/// the methods book.
StepOutcome Blending::step(const StepRequest& r, State& next)
{
    const StepOutcome im = midpoint_.step(r, im_.state);
    if (im.status == StepStatus::solve_failed) return im;
    measure(r, im, im_);
    const double allowed = near_enough(r, tolerance_);

    StepOutcome outcome = im;
    const End* end = &im_;
    outcome.alpha = 0;
    if (im_.error > allowed) {
        const StepOutcome be = backward_euler_.step_from(midpoint_.middle(), r, be_.state);
        outcome.solve.merge(be.solve);
        if (!be.solve.ok()) return unsolved(outcome.solve);
        measure(r, be, be_);
        const bool reaches = be_.error <= allowed;
        outcome.alpha = reaches ? blend(r, be_.state.x, im_, be_, allowed) : 1;
        end = reaches ? &blended_ : &be_;
    } else if (im_.error < -allowed) {
        measure(r, forward_euler_.step(r, fe_.state), fe_);
        const bool reaches = fe_.error >= -allowed;
        outcome.alpha = reaches ? blend(r, midpoint_.middle(), fe_, im_, allowed) - 1 : fe_.error > im_.error ? -1 : 0;
        end = reaches ? &blended_ : fe_.error > im_.error ? &fe_ : &im_;
    }
    next = end->state;
    outcome.status = next.finite() ? StepStatus::ok : StepStatus::not_finite;
    outcome.dissipated = end->dissipated;
    return outcome;
}

void Blending::measure(const StepRequest& r, const StepOutcome& outcome, End& end) const
{
    r.dynamics.prescribe(end.state);
    end.dissipated = outcome.dissipated;
    end.error = outcome.status == StepStatus::ok ? energy_error(r, end.state, end.dissipated) : infinity;
    if (std::isnan(end.error)) end.error = infinity;
}

double Blending::blend(const StepRequest& r, const Vector& from, const End& gaining, const End& losing, double allowed)
{
    constexpr int most_halvings = 60; // then the bracket is round-off, around a jump from too much to too little
    double low = 0, high = 1;
    for (int k = 0; k < most_halvings; ++k) {
        const double a = k + 1 < most_halvings ? 0.5 * (low + high) : high;
        blended_.state.t = losing.state.t;
        blended_.state.x = (1 - a) * gaining.state.x + a * losing.state.x;
        blended_.state.v = (1 - a) * gaining.state.v + a * losing.state.v;
        const double dissipated = (1 - a) * gaining.dissipated + a * losing.dissipated;
        beyond_.t = blended_.state.t;
        beyond_.x = from + (blended_.state.x - from) / farthest;
        beyond_.v = blended_.state.v;
        measure(r, at_computed_point(r.dynamics, from, beyond_, {}, dissipated), blended_);
        if (std::abs(blended_.error) <= allowed) return a;
        (blended_.error > 0 ? low : high) = a;
    }
    if (!std::isfinite(blended_.error)) blended_ = losing;
    return high;
}

std::vector<OptionSpec> Blending::options()
{
    return {
        {.name = "tolerance",
            .fallback = default_tolerance,
            .summary = "how near to the target is near enough, relative to the total energy",
            .least = 0,
            .most = 1},
    };
}

std::unique_ptr<Integrator> Blending::make(const Options& o) { return std::make_unique<Blending>(o.real("tolerance")); }

} // namespace rubato
