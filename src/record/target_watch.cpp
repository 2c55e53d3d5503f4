#include "record/target_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace rubato {

namespace {

constexpr double near = 0.05; // of the energy at stake
constexpr double sustained = 0.1; // of the run
constexpr long least_steps = 10;

} // namespace

TargetWatch::TargetWatch(const Options& options, double end_time)
    : long_enough_(sustained * end_time)
{
    if (!options.has("alpha_max")) return;
    least_ = options.real("alpha_min");
    most_ = options.real("alpha_max");
}

void TargetWatch::step(const StepRecord& record, double scale, std::optional<double> ground)
{
    const double below = ground ? *ground - record.potential.total() : 0;
    if (std::isfinite(below) && scale > 0 && below > std::max(near * scale, depth_)) {
        if (depth_ == 0) sank_at_ = record.state.t;
        depth_ = below;
    }
    const double distance = record.total() - record.ledger.target;
    if (record.step == 0 || !std::isfinite(distance) || !(scale > 0)) return;
    const double share = distance / scale;
    const int side = std::abs(share) <= near ? 0 : share > 0 ? 1 : -1;
    if (side != side_) {
        side_ = side;
        steps_ = 0;
        lasts_ = farthest_ = 0;
        began_ = record.state.t - record.h;
        std::fill(std::begin(lately_), std::end(lately_), 0.0);
    }
    if (side == 0) return;
    const auto enough = [&] { return steps_ >= least_steps && lasts_ >= (1 - 1e-9) * long_enough_; };
    const bool before = enough();
    ++steps_;
    lasts_ += record.h;
    lately_[cause(side > 0, record.outcome.alpha)] += record.h;
    if (std::abs(share) > std::abs(farthest_)) farthest_ = share;
    if (!enough()) return;
    if (away_ == 0) since_ = began_;
    away_ += before ? record.h : lasts_;
    if (std::abs(farthest_) > std::abs(worst_)) worst_ = farthest_;
    for (int i = 0; i < causes; ++i) {
        for_[i] += lately_[i];
        lately_[i] = 0;
    }
}

TargetWatch::Cause TargetWatch::cause(bool above, double alpha) const
{
    if (!most_ || !std::isfinite(alpha)) return unknown;
    if (alpha == 1 && *least_ < 1 && *most_ > 1) return idle; // a root is never exactly there
    return above ? alpha <= *least_ ? too_low : exhausted : alpha >= *most_ ? too_high : exhausted;
}

std::string TargetWatch::reason() const
{
    switch (std::max_element(std::begin(for_), std::end(for_)) - std::begin(for_)) {
    case too_low:
        return "alpha is at alpha_min: the target is lower than the method's own dissipation reaches; with a decay the "
               "ground level may be too low";
    case too_high: return "alpha is at alpha_max: energy is missing that the method cannot give back";
    case idle: return "alpha makes no difference: no force changes, as in free fall";
    case exhausted: return "no alpha in its range comes nearer: few forces change, as in flight";
    default: return "the method has no correction that reaches it";
    }
}

std::string away_from_target(double time, double since, double worst, const std::string& reason)
{
    return fmt::format(
        "for {:.3g} s in all, first at t = {:.3g} s, the energy was more than {:.0f} % off its target, up to "
        "{:.3g} % {} it; {}",
        time, since, 100 * near, 100 * std::abs(worst), worst > 0 ? "above" : "below", reason);
}

std::string below_ground(double since, double depth)
{
    return fmt::format(
        "from t = {:.3g} s on the potential energy was up to {:.3g} J below the ground level: something falls "
        "or slides off, or the level is too high. What it loses there becomes motion, for the target "
        "counts both",
        since, depth);
}

void TargetWatch::serialize(Archive& archive)
{
    archive("target_away", away_);
    archive("target_since", since_);
    archive("target_worst", worst_);
    archive("target_depth", depth_);
    archive("target_sank_at", sank_at_);
    archive("target_side", side_);
    archive("target_steps", steps_);
    archive("target_began", began_);
    archive("target_lasts", lasts_);
    archive("target_farthest", farthest_);
    for (double& time : for_) archive("target_cause", time);
    for (double& time : lately_) archive("target_cause_lately", time);
}

} // namespace rubato
