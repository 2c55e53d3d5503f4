#include "integrators/blend_search.hpp"

#include "integrators/end_point.hpp"
#include "integrators/energy_error.hpp"

#include <cmath>
#include <limits>

namespace rubato {

namespace {

constexpr double farthest = 0.9; // of the way to where one may not be that a blend may go
constexpr int most_halvings = 60; // then the bracket is round-off, around a jump from too much to too little

} // namespace

void StepEnd::measure(const StepRequest& r, const StepOutcome& outcome)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    r.dynamics.prescribe(state);
    dissipated = outcome.dissipated;
    error = outcome.status == StepStatus::ok ? energy_error(r, state, dissipated) : infinity;
    if (std::isnan(error)) error = infinity;
}

double BlendSearch::between(const StepRequest& r, const Vector& from, const StepEnd& gaining, const StepEnd& losing,
    double allowed, StepEnd& blended)
{
    double low = 0, high = 1;
    for (int k = 0; k < most_halvings; ++k) {
        const double a = k + 1 < most_halvings ? 0.5 * (low + high) : high;
        blended.state.t = losing.state.t;
        blended.state.x = (1 - a) * gaining.state.x + a * losing.state.x;
        blended.state.v = (1 - a) * gaining.state.v + a * losing.state.v;
        const Dissipated dissipated = (1 - a) * gaining.dissipated + a * losing.dissipated;
        beyond_.t = blended.state.t;
        beyond_.x = from + (blended.state.x - from) / farthest;
        beyond_.v = blended.state.v;
        blended.measure(r, at_computed_point(r.dynamics, from, beyond_, {}, dissipated));
        if (std::abs(blended.error) <= allowed) return a;
        (blended.error > 0 ? low : high) = a;
    }
    if (!std::isfinite(blended.error)) blended = losing;
    return high;
}

} // namespace rubato
