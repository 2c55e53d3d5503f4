#include "integrators/blending.hpp"

#include "integrators/end_point.hpp"
#include "integrators/energy_error.hpp"

namespace rubato {

/// 001 sec. 4.1 and Alg. 1, with e = H(x', v') - target (eq. 20) and |e| <= tolerance |H(x, v)| near enough (eq. 24):
///
///     IM near enough      (x', v') = IM, the implicit midpoint step
///     e(IM) > 0           (x', v') = (1 - a) IM + a BE, BE a backward Euler step            (eq. 21, 22)
///     e(IM) < 0           (x', v') = (1 - a) FE + a IM, FE a forward Euler step
///
/// a by bisection. If even BE has too much energy it is taken, and later steps remove the rest; if even FE has too
/// little, the one of the two that has more. Second order: e(IM) = O(h^3) asks for a = O(h) of a method whose error is
/// O(h^2). Dissipated: the same blend of what the methods book.
StepOutcome Blending::step(const StepRequest& r, State& next)
{
    const StepOutcome im = midpoint_.step(r, im_.state);
    if (im.status == StepStatus::solve_failed) return im;
    im_.measure(r, im);
    const double allowed = near_enough(r, tolerance_);

    StepOutcome outcome = im;
    const StepEnd* end = &im_;
    outcome.alpha = 0;
    if (im_.error > allowed) {
        const StepOutcome be = backward_euler_.step_from(midpoint_.middle(), r, be_.state);
        outcome.solve.merge(be.solve);
        if (!be.solve.ok()) return unsolved(outcome.solve);
        be_.measure(r, be);
        const bool reaches = be_.error <= allowed;
        outcome.alpha = reaches ? search_.between(r, be_.state.x, im_, be_, allowed, blended_) : 1;
        end = reaches ? &blended_ : &be_;
    } else if (im_.error < -allowed) {
        fe_.measure(r, forward_euler_.step(r, fe_.state));
        const bool reaches = fe_.error >= -allowed;
        outcome.alpha = reaches     ? search_.between(r, midpoint_.middle(), fe_, im_, allowed, blended_) - 1
            : fe_.error > im_.error ? -1
                                    : 0;
        end = reaches ? &blended_ : fe_.error > im_.error ? &fe_ : &im_;
    }
    next = end->state;
    outcome.status = r.dynamics.finite(next) ? StepStatus::ok : StepStatus::not_finite;
    outcome.dissipated = end->dissipated;
    return outcome;
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
