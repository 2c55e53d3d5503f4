#pragma once

#include "base/archive.hpp"
#include "dynamics/state.hpp"

namespace rubato {

/// What an accepted step changed in terms that remember.
struct Accepted {
    bool forces = false; ///< where the step ended, conservative forces are others now
    double dissipated = 0; ///< by what broke or flowed [J], >= 0

    void add(const Accepted& more)
    {
        forces = forces || more.forces;
        dissipated += more.dissipated;
    }
};

/// What a term of a system remembers: which bonds broke, how far something flowed. It changes in `accept` and nowhere
/// else, so that a rejected attempt leaves no trace, and goes through `serialize`, so that a run can be resumed.
class Memory {
public:
    virtual bool remembers() const { return false; } ///< false: neither of the two below does anything
    /// The step that ends at `after` was accepted. What the change takes from the energy is said here: it is not in the
    /// balance of the step, which was solved without it.
    virtual Accepted accept(const State& /*after*/) { return {}; }
    virtual void serialize(Archive& /*archive*/) { }

protected:
    ~Memory() = default;
};

} // namespace rubato
