#include "lab/equal_time.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr double least_power = 0.3, most_power = 2; ///< of time over 1/h; beyond them it is noise
constexpr double largest_change = 64; ///< of the step from one trial to the next

} // namespace

EqualTimeSearch::EqualTimeSearch(double wanted, Trial first, double tolerance, int most_trials)
    : wanted_(wanted)
    , tolerance_(tolerance)
    , most_trials_(most_trials)
    , trials_{first}
{
}

const EqualTimeSearch::Trial& EqualTimeSearch::best() const
{
    return *std::min_element(trials_.begin(), trials_.end(), [&](const Trial& a, const Trial& b) {
        return std::abs(std::log(a.seconds / wanted_)) < std::abs(std::log(b.seconds / wanted_));
    });
}

bool EqualTimeSearch::near() const { return std::abs(best().seconds / wanted_ - 1) <= tolerance_; }

std::optional<double> EqualTimeSearch::next() const
{
    if (near() || static_cast<int>(trials_.size()) > most_trials_) return {};
    const Trial& from = best();
    double power = 1;
    const Trial* other = nullptr; // the nearest one with another step
    for (const Trial& trial : trials_) {
        if (trial.h == from.h) continue;
        if (other == nullptr
            || std::abs(std::log(trial.seconds / wanted_)) < std::abs(std::log(other->seconds / wanted_)))
            other = &trial;
    }
    if (other != nullptr) {
        const double slope = std::log(other->seconds / from.seconds) / std::log(from.h / other->h);
        power = std::clamp(std::isfinite(slope) ? slope : 1.0, least_power, most_power);
    }
    const double change = std::clamp(std::pow(from.seconds / wanted_, 1 / power), 1 / largest_change, largest_change);
    return from.h * change;
}

} // namespace rubato
