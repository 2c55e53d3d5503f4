#pragma once

#include <optional>
#include <vector>

namespace rubato {

/// The search for the step length at which a method takes as long as another one. The time of a run grows with some
/// power of 1/h, less than one where short steps need fewer iterations: each trial but the first two goes where the
/// line through the two nearest ones, time over step on logarithmic axes, meets the wanted time.
class EqualTimeSearch {
public:
    struct Trial {
        double h = 0; ///< [s]
        double seconds = 0; ///< that the run took
    };
    /// `wanted`: how long the run should take [s]; `first`: what is known already.
    EqualTimeSearch(double wanted, Trial first, double tolerance = 0.1, int most_trials = 4);

    std::optional<double> next() const; ///< step of the next trial [s]; nothing: near enough, or enough tried
    void add(Trial trial) { trials_.push_back(trial); }
    const Trial& best() const; ///< the one whose time is nearest
    bool near() const; ///< whether that is within the tolerance

private:
    double wanted_, tolerance_;
    int most_trials_;
    std::vector<Trial> trials_;
};

} // namespace rubato
