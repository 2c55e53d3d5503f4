#include "control/halving.hpp"

#include <cassert>
#include <cmath>

namespace rubato {

HalvingStep::HalvingStep(double h, const HalvingOptions& options)
    : h_(h)
    , options_(options)
{
    assert(options.max_halvings >= 0 && options.max_halvings <= 40);
}

double HalvingStep::length(int level) const
{
    return std::ldexp(h_, -level); // exact: a power of two
}

Decision HalvingStep::judge(const Attempted& attempted)
{
    return attempted.proposed != nullptr ? accepted(attempted.h) : failed(attempted.h);
}

Decision HalvingStep::accepted(double h)
{
    ++accepted_in_a_row_;
    if (h == length(level_)) {
        const std::int64_t whole = std::int64_t{1} << options_.max_halvings;
        offset_ = (offset_ + (whole >> level_)) % whole;
    } else {
        offset_ = 0; // the simulation cut the step to hit an end time: the grid goes on from there
    }

    const bool longer_fits = level_ > 0 && offset_ % (std::int64_t{2} << (options_.max_halvings - level_)) == 0;
    if (longer_fits && accepted_in_a_row_ >= options_.recover_after) {
        --level_;
        accepted_in_a_row_ = 0;
    }
    return {.accept = true, .next_h = length(level_)};
}

Decision HalvingStep::failed(double h)
{
    accepted_in_a_row_ = 0;
    // The attempt may have been shorter than length(level_), cut to hit an end time; the next must be shorter still.
    int level = level_ + 1;
    while (level <= options_.max_halvings && length(level) >= h) ++level;
    if (level > options_.max_halvings) return {.accept = false, .next_h = 0};
    level_ = level;
    return {.accept = false, .next_h = length(level_)};
}

void HalvingStep::serialize(Archive& archive)
{
    archive("halving.level", level_);
    archive("halving.accepted", accepted_in_a_row_);
    archive("halving.offset", offset_);
}

} // namespace rubato
