#pragma once

#include "integrators/history.hpp"

namespace rubato {

/// The step before: where it started, and how long it was.
class LastStep final : public Remembered {
public:
    double h() const { return h_; } ///< [s]; 0 before the first step
    const State& start() const { return start_; } ///< t is not used

    void propose(double h) { proposed_h_ = h; } ///< the step that is proposed has this length [s]
    void accept(const State& before) override
    {
        start_ = before;
        h_ = proposed_h_;
    }
    /// As if the nodes had come with the velocity that they have now, and from where that leads here: each is seen from
    /// a frame that moves by its dv, in which the formulas of a method are the same. A remembered velocity alone would
    /// let go on what was stopped, and remembered positions would pull it back.
    void jumped(const Vector& dv, const Vector&) override
    {
        if (h_ == 0 || dv.size() == 0) return;
        start_.v += dv;
        start_.x -= h_ * dv;
    }
    void restart() override { h_ = 0; }
    void serialize(Archive& archive) override
    {
        archive("bdf2.h_old", h_);
        archive("bdf2.x_old", start_.x);
        archive("bdf2.v_old", start_.v);
        // The archive knows the size of the system; a history without the vectors it speaks of is left to check here.
        if (archive.loading() && h_ != 0 && (start_.x.size() == 0 || start_.v.size() == 0)) {
            throw Archive::Mismatch("holds a bdf2 history without its state");
        }
    }

private:
    State start_;
    double h_ = 0, proposed_h_ = 0;
};

} // namespace rubato
