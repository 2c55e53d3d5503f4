#include "potentials/profiles.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace rubato {

namespace {

constexpr double round_off = 1e-9; // of a step: times that differ by less are the same

} // namespace

double Pulse::integral(double from, double to) const
{
    return std::max(0.0, std::min(to, end_) - std::max(from, begin_));
}

/// A switch at an end of the step counts: a method samples the end, and the value there belongs to one side only.
bool Pulse::smooth(double from, double to) const
{
    const double near = round_off * (to - from);
    const auto within = [&](double t) { return t >= from - near && t <= to + near; };
    return !within(begin_) && !within(end_);
}

double Sine::at(double t) const { return std::sin(omega_ * t + phase_); }

/// The difference of two cosines, without cancellation.
double Sine::integral(double from, double to) const
{
    return 2 / omega_ * std::sin(0.5 * omega_ * (from + to) + phase_) * std::sin(0.5 * omega_ * (to - from));
}

bool Sine::smooth(double from, double to) const
{
    constexpr double fewest_steps = 4 * (1 - 1e-6); // in a period: exactly four count, whatever the round-off
    return fewest_steps * std::abs(omega_) * (to - from) <= 2 * std::numbers::pi;
}

PiecewiseLinear::PiecewiseLinear(std::vector<double> times, std::vector<double> factors)
    : times_(std::move(times))
    , factors_(std::move(factors))
    , sums_(times_.size(), 0)
{
    assert(!times_.empty() && times_.size() == factors_.size());
    for (std::size_t i = 1; i < times_.size(); ++i) {
        sums_[i] = sums_[i - 1] + 0.5 * (factors_[i - 1] + factors_[i]) * (times_[i] - times_[i - 1]);
    }
}

double PiecewiseLinear::at(double t) const
{
    const auto after = std::upper_bound(times_.begin(), times_.end(), t);
    if (after == times_.begin()) return factors_.front();
    if (after == times_.end()) return factors_.back();
    const auto i = static_cast<std::size_t>(after - times_.begin());
    const double s = (t - times_[i - 1]) / (times_[i] - times_[i - 1]);
    return (1 - s) * factors_[i - 1] + s * factors_[i];
}

double PiecewiseLinear::sum_until(double t) const
{
    const auto after = std::upper_bound(times_.begin(), times_.end(), t);
    if (after == times_.begin()) return (t - times_.front()) * factors_.front();
    const auto i = static_cast<std::size_t>(after - times_.begin()) - 1;
    return sums_[i] + 0.5 * (factors_[i] + at(t)) * (t - times_[i]);
}

double PiecewiseLinear::integral(double from, double to) const { return sum_until(to) - sum_until(from); }

/// A kink at an end of the step is not within it.
bool PiecewiseLinear::smooth(double from, double to) const
{
    const double near = round_off * (to - from);
    const auto inside = std::upper_bound(times_.begin(), times_.end(), from + near);
    return inside == times_.end() || *inside >= to - near;
}

} // namespace rubato
