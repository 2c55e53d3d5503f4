#pragma once

#include "dynamics/integrator.hpp"

#include <algorithm>

namespace rubato {

/// What dissipations take, for methods that correct velocities afterwards: v' = w - alpha dv, w of the uncorrected
/// method.
///
/// An impulse J takes -J . (w_old + w)/2 from the kinetic energy of what it turns from w_old to w, those of the step
/// before and of this one. The way by the velocity at the end of the step alone lacks 1/2 J . M^-1 J: all that is lost
/// by what stops within a step, and a search for the energy target would make vibrations of it. v in place of w_old
/// holds the corrections, and friction would seem to drive them. Dissipations never give energy: where slips that turn
/// round within a step make it seem so, nothing is booked.
class ImpulseLoss {
public:
    /// h (w_old + w)/2; remembers w for the next step.
    const Vector& way(const StepRequest& r, const Vector& w)
    {
        w_ = w;
        way_ = (0.5 * r.h) * ((known_ ? w_old_ : r.now.v) + w);
        return way_;
    }
    static Dissipated booked(const Dissipated& d) { return {std::max(d.free, -d.driven), d.driven}; }

    void accept()
    {
        w_old_.swap(w_);
        known_ = true;
    }
    void serialize(Archive& archive)
    {
        archive("loss.known", known_);
        archive("loss.w", w_old_);
        // The archive knows the size of the system; a history without the vector it speaks of is left to check here.
        if (archive.loading() && known_ && w_old_.size() == 0) {
            throw Archive::Mismatch("holds a history without its velocity");
        }
    }

private:
    bool known_ = false;
    Vector w_old_; // history [m/s]
    Vector w_, way_; // of this step [m/s], [m]
};

} // namespace rubato
