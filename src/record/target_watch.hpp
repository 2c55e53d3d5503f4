#pragma once

#include "base/archive.hpp"
#include "base/options.hpp"
#include "dynamics/observer.hpp"

#include <optional>
#include <string>

namespace rubato {

/// Notices when the total energy stays away from its target, and why: farther than a twentieth of the energy that is at
/// stake, on one side, for a tenth of the run and ten steps. Notices, too, when bodies go where their potential energy
/// is less than the ground level: as the total is steered, kinetic energy then grows by as much, and nobody sees it.
class TargetWatch {
public:
    /// `options`: of the integrator, which may have a range for alpha. `end_time` [s].
    TargetWatch(const Options& options, double end_time);

    /// `scale`: the energy at stake [J]. `ground`: the ground level [J], where it is known.
    void step(const StepRecord& record, double scale, std::optional<double> ground = {});

    bool left() const { return away_ > 0; } ///< whether it ever stayed away
    double away() const { return away_; } ///< for how long, all such times together [s]
    double since() const { return since_; } ///< when the first of them began [s]
    double worst() const { return worst_; } ///< largest share of the scale in them; < 0: below the target
    /// Why, in words; for most of that time.
    std::string reason() const;

    bool sank() const { return depth_ > 0; } ///< whether anything went below the ground level
    double depth() const { return depth_; } ///< how far at most [J]
    double sank_at() const { return sank_at_; } ///< when it was first so [s]

    void serialize(Archive& archive);

private:
    enum Cause { too_low, too_high, idle, exhausted, unknown, causes };
    Cause cause(bool above, double alpha) const;

    std::optional<double> least_, most_; ///< range of alpha
    double long_enough_; ///< [s]
    double away_ = 0, since_ = 0, worst_ = 0;
    double for_[causes] = {}; ///< how long each held [s]
    double depth_ = 0, sank_at_ = 0;
    // The time away that goes on.
    int side_ = 0; ///< 1 above, -1 below, 0 near
    long steps_ = 0;
    double began_ = 0, lasts_ = 0, farthest_ = 0;
    double lately_[causes] = {};
};

/// "for 2.3 s in all, first at t = 1.2 s, the energy was more than 5 % off its target, up to 34 % above it; <reason>"
std::string away_from_target(double time, double since, double worst, const std::string& reason);

/// "from t = 0.8 s on the potential energy was up to 2.6e+03 J below the ground level: ..."
std::string below_ground(double since, double depth);

} // namespace rubato
