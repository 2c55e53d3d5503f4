#pragma once

#include "base/archive.hpp"
#include "base/options.hpp"
#include "dynamics/observer.hpp"

#include <optional>
#include <string>

namespace rubato {

/// Notices when the total energy stays away from its target, and why: farther than a twentieth of the energy that is at
/// stake, on one side, for a tenth of the run and ten steps.
class TargetWatch {
public:
    /// `options`: of the integrator, which may have a range for alpha. `end_time` [s].
    TargetWatch(const Options& options, double end_time);

    /// `scale`: the energy at stake [J].
    void step(const StepRecord& record, double scale);

    bool left() const { return away_ > 0; } ///< whether it ever stayed away
    double away() const { return away_; } ///< for how long, all such times together [s]
    double since() const { return since_; } ///< when the first of them began [s]
    double worst() const { return worst_; } ///< largest share of the scale in them; < 0: below the target
    /// Why, in words; for most of that time.
    std::string reason() const;

    void serialize(Archive& archive);

private:
    enum Cause { too_low, too_high, idle, exhausted, unknown, causes };
    Cause cause(bool above, double alpha) const;

    std::optional<double> least_, most_; ///< range of alpha
    double long_enough_; ///< [s]
    double away_ = 0, since_ = 0, worst_ = 0;
    double for_[causes] = {}; ///< how long each held [s]
    // The time away that goes on.
    int side_ = 0; ///< 1 above, -1 below, 0 near
    long steps_ = 0;
    double began_ = 0, lasts_ = 0, farthest_ = 0;
    double lately_[causes] = {};
};

/// "for 2.3 s in all, from t = 1.2 s on, the energy was more than 5 % off its target, up to 34 % above it; <reason>"
std::string away_from_target(double time, double since, double worst, const std::string& reason);

} // namespace rubato
