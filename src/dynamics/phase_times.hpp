#pragma once

#include <chrono>

namespace rubato {

/// Where the wall-clock time of a run goes [s].
struct PhaseTimes {
    double elasticity = 0; ///< values, gradients and Hessians of everything that is not contact
    double contact = 0; ///< the same of contact, with its search for close pairs
    double ccd = 0; ///< how far one may step
    double linear = 0; ///< linear systems
    double output = 0; ///< everything that watches the run: statistics, frames, checkpoints

    double sum() const { return elasticity + contact + ccd + linear + output; }
    void add(const PhaseTimes& more)
    {
        elasticity += more.elasticity;
        contact += more.contact;
        ccd += more.ccd;
        linear += more.linear;
        output += more.output;
    }
};

/// Adds the time it lives to a phase.
class PhaseClock {
public:
    explicit PhaseClock(double& phase)
        : phase_(phase)
    {
    }
    ~PhaseClock() { phase_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }
    PhaseClock(const PhaseClock&) = delete;
    PhaseClock& operator=(const PhaseClock&) = delete;

private:
    double& phase_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

} // namespace rubato
