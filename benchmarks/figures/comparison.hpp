#pragma once

#include "figures/figure.hpp"

#include <string>
#include <vector>

/// Telling a change from noise.
namespace rubato {

/// A figure changed if all three agree. A difference of medians beyond what one run does to itself is not enough alone:
/// from run to run a machine changes by more. Ratios are compared as logarithms.
struct ChangeRule {
    double least = 0.05; ///< smallest relative change that counts
    double least_of_one = 0.25; ///< the same where a run has one repetition, whose noise is not known
    double spreads = 2; ///< how many spreads of both runs together the medians must differ by
    /// Largest probability of the rank test. With fewer than five repetitions on either side it cannot get as low; then
    /// the samples of one run must be beyond those of the other by half the range that either has.
    double probability = 0.01;
};

enum class Verdict {
    same, ///< within the noise
    better,
    worse,
    differs, ///< a count or a fact is another one; neither better nor worse
    only_before,
    only_after,
};

struct Change {
    Figure before, after; ///< of figures that only one run has, the other is empty
    Verdict verdict = Verdict::same;
    double ratio = 0; ///< of the medians, after over before
};

/// Of all figures that both have, and those that only one has, in the order of `before`.
std::vector<Change> compared(const FigureSet& before, const FigureSet& after, const ChangeRule& rule = {});

/// What changed, a line each, and how many did not; for people.
std::string told(const std::vector<Change>& changes);

bool anything_worse(const std::vector<Change>& changes);

} // namespace rubato
