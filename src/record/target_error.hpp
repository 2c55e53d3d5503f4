#pragma once

#include "base/archive.hpp"
#include "dynamics/observer.hpp"

#include <cmath>

namespace rubato {

/// How far the total energy E is from its target over a run: |E - target| at the last step, and its mean over time, in
/// which the end of a step stands for the whole step.
class TargetError {
public:
    void step(const StepRecord& record)
    {
        above_ = record.total() - record.ledger.target;
        // An energy that overflowed would drown all others; whoever asks for the last one hears of it.
        if (record.step == 0 || !std::isfinite(above_)) return;
        weighted_ += record.h * last();
        time_ += record.h;
    }
    double mean() const { return time_ > 0 ? weighted_ / time_ : last(); } ///< [J]
    double last() const { return std::abs(above_); } ///< [J]
    double above() const { return above_; } ///< the last one, < 0 below the target [J]

    void serialize(Archive& archive)
    {
        archive("target_error", weighted_);
        archive("target_error_time", time_);
        archive("target_error_above", above_);
    }

private:
    double weighted_ = 0; ///< [J s]
    double time_ = 0; ///< [s]
    double above_ = 0; ///< [J]
};

} // namespace rubato
