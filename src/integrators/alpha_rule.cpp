#include "integrators/alpha_rule.hpp"

#include "base/errors.hpp"
#include "integrators/energy_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

namespace {

constexpr double round_off = 8 * std::numeric_limits<double>::epsilon(); // of differences, as a share of the energies
constexpr int corrects_after = 3; // errors of one sign in a row (000 sec. 5.6)

} // namespace

/// In b = alpha - 1 the parabola is square b^2 - q b + e(1), q = slope - 2 square, and the root nearer to 1 is the b of
/// smaller size, which is the one that the formula without cancellation gives, however small `square` is.
double root_near_one(const EnergyParabola& e)
{
    if (e.square + std::abs(e.slope) <= round_off * e.size) return 1; // free fall: v' is the same for every alpha
    const double e1 = e.at_one();
    if (e1 == 0) return 1;
    const double q = e.slope - 2 * e.square;
    const double discriminant = q * q - 4 * e.square * e1;
    if (discriminant < 0) return 1 + q / (2 * e.square);
    return 1 + 2 * e1 / (q + std::copysign(std::sqrt(discriminant), q));
}

double AlphaRule::alpha(const EnergyParabola& e)
{
    if (search_ == Search::never) return 1;
    if (search_ == Search::sparse) {
        const double e1 = e.at_one();
        const int sign = std::abs(e1) <= round_off * e.size ? 0 : e1 > 0 ? 1 : -1;
        pending_ = sign * run_ > 0 ? run_ + sign : sign;
        if (std::abs(pending_) < corrects_after) return std::clamp(1.0, least_, most_);
        pending_ = 0;
    }
    return std::clamp(root_near_one(e), least_, most_);
}

double AlphaRule::found(
    const StepRequest& r, const Vector& w, const Vector& dv, const Dissipated& dissipated, State& next)
{
    const double potential = r.dynamics.potential_energy(next.t, next.x).total();
    const double kinetic = r.dynamics.kinetic_energy(w); // prescribed unknowns count; dv is zero there
    EnergyParabola e{.square = 0.5 * r.dynamics.mass_inner(dv, dv), .slope = r.dynamics.mass_inner(w, dv)};
    double alpha = 0, injected = 0; // it begins with w
    for (int n = 0; n < most_searches; ++n) {
        next.v = w - alpha * dv;
        r.dynamics.prescribe(next);
        const double now = r.dynamics.injected(r.seen_now(), next);
        if (n > 0 && std::abs(now - injected) <= same_energy * e.size) break;
        injected = now;
        const double target = target_at(r, next.t, injected, dissipated, potential);
        e.offset = potential + kinetic - target;
        e.size = std::abs(potential) + kinetic + std::abs(target);
        alpha = this->alpha(e);
    }
    next.v = w - alpha * dv;
    return alpha;
}

void AlphaRule::serialize(Archive& archive)
{
    if (search_ != Search::sparse) return;
    archive("alpha.run", run_);
    if (archive.loading() && std::abs(run_) >= corrects_after) {
        throw Archive::Mismatch(fmt::format("holds a count of {} errors, must be below {}", run_, corrects_after));
    }
}

std::vector<OptionSpec> AlphaRule::options()
{
    return {
        {.name = "alpha_min", .fallback = 0.0, .summary = "least correction; 0 is the implicit method itself"},
        {.name = "alpha_max", .fallback = 1.1, .summary = "largest correction; 1 is the symplectic method"},
    };
}

std::pair<double, double> AlphaRule::range_of(const Options& options)
{
    const double least = options.real("alpha_min"), most = options.real("alpha_max");
    if (!(least <= most)) {
        throw InputError(Mistake{.key = "alpha_max",
            .value = fmt::format("{}", most),
            .message = fmt::format("must be >= alpha_min, which is {}", least)});
    }
    return {least, most};
}

} // namespace rubato
