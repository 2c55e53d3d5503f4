#pragma once

#include "integrators/remembered_vector.hpp"

namespace rubato {

/// What dissipations take, for methods that correct velocities afterwards: v' = w - alpha dv, w of the uncorrected
/// method.
///
/// An impulse J takes -J . (w_old + w)/2 from the kinetic energy of what it turns from w_old to w, those of the step
/// before and of this one. The way by the velocity at the end of the step alone lacks 1/2 J . M^-1 J: all that is lost
/// by what stops within a step, and a search for the energy target would make vibrations of it. v in place of w_old
/// holds the corrections, and friction would seem to drive them; at the start of a run it need not be a velocity that
/// damping has felt, and J . v/2 is without bound where damping holds a spring. So the first step goes by w alone
/// (decision 0020). Where slips that turn round within a step make it seem that friction drives, the ledger books
/// nothing.
class ImpulseLoss final : public RememberedVector {
public:
    ImpulseLoss()
        : RememberedVector("loss.known", "loss.w", Kind::velocity)
    {
    }

    /// h (w_old + w)/2, in the first step h w; remembers w for the next step.
    const Vector& way(double h, const Vector& w)
    {
        next() = w;
        way_ = (0.5 * h) * ((known() ? value() : w) + w);
        return way_;
    }

private:
    Vector way_; // of this step [m]
};

} // namespace rubato
