#include "simulation/simulation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

/// Where the next step ends. With w the length that is wanted, t now, T the next time that is to be hit:
///
///     n = ceil((T - t)/w),     h = (T - t)/n          in (w/2, w], or all that is left, if that is less than w
///
/// The same rule gives n - 1 steps of the same length when it is asked again after one of them.
namespace rubato {

namespace {

/// Lengths that differ by less than this fraction of a step are the same: the end time is a multiple of h although
/// neither is exact in binary.
constexpr double same_length = 1e-6;
/// A step that differs from another by less than this fraction has its length, to the last bit: what is made for a
/// length (factors, a grid of times) serves the next step, too.
constexpr double same_but_for_round_off = 1e-9;
/// Steps that get longer again stay this far from the growth at which a method gives up its history.
constexpr double share_of_growth = 0.9;

bool nearly(double a, double b) { return std::abs(a - b) <= same_but_for_round_off * b; }

} // namespace

void Simulation::hit(std::vector<double> times)
{
    assert(std::all_of(times.begin(), times.end(), [](double t) { return std::isfinite(t); }));
    std::sort(times.begin(), times.end());
    hits_ = std::move(times);
}

/// What is left of the time and shorter than this is not a step. The measure is the step just taken, not only the one
/// wanted next: h may be far longer than the whole run, which is one step then.
double Simulation::round_off() const { return same_length * std::min(h_, grid_.h); }

double Simulation::next_hit() const
{
    const auto next = std::upper_bound(hits_.begin(), hits_.end(), now_.t + round_off());
    return next != hits_.end() ? *next : std::numeric_limits<double>::infinity();
}

double Simulation::length_toward(double hit) const
{
    if (hits_.empty()) return h_;
    double wanted = h_;
    if (grid_.h > 0) wanted = std::min(h_, std::max(share_of_growth * integrator_.most_growth(), 1.0) * grid_.h);
    if (!std::isfinite(hit)) return wanted;

    const double left = hit - now_.t;
    const double h = left / std::max(std::ceil(left / wanted - same_length), 1.0);
    if (nearly(h, h_)) return h_;
    return nearly(h, grid_.h) ? grid_.h : h;
}

/// The last step ends at end_time exactly; it is as long as the others, or shorter, or longer by less than one step can
/// notice.
Simulation::Attempt Simulation::next_attempt(double end_time) const
{
    const double hit = next_hit(), h = length_toward(hit);
    if (hit <= end_time && hit - now_.t <= (1 + same_length) * h) return {.h = h, .t_next = hit};

    const double remaining = end_time - now_.t;
    if (remaining <= (1 + same_length) * h) return {.h = nearly(remaining, h) ? h : remaining, .t_next = end_time};

    const double committed = doubles() ? h / 2 : h;
    if (committed != grid_.h) return {.h = h, .t_next = now_.t + h};
    const long count = grid_.count + (doubles() ? 2 : 1);
    return {.h = h, .t_next = grid_.origin + static_cast<double>(count) * committed};
}

} // namespace rubato
