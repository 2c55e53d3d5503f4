#pragma once

#include "dynamics/assembly.hpp"
#include "dynamics/memory.hpp"
#include "dynamics/state.hpp"

#include <string_view>

namespace rubato {

/// A dissipation function D(u) [W] of velocity u [m/s], convex, with force -grad D(u). Whatever it needs of the
/// configuration is frozen at the start of the step (lagged), so within a step it depends on velocity alone.
class Dissipation : public Memory {
public:
    virtual ~Dissipation() = default;

    virtual std::string_view name() const = 0;

    /// Announces the blocks its Hessian may touch whatever was frozen.
    virtual void pattern(BlockPattern& pattern) const = 0;

    /// Announces the further blocks that its Hessian touches as it is frozen now.
    virtual void frozen_pattern(BlockPattern& /*pattern*/) const { }

    /// Lags everything that depends on the configuration at the state where the step starts. A function of the state
    /// alone: freezing twice at one state is freezing once.
    virtual void freeze(const State& now) = 0;

    /// Lags again, at a stage solution x of the same step: true if that changed it enough for the stage to be solved
    /// once more. `solves`: how often it was solved already. What did not change enough stays as it was.
    virtual bool relag(const Vector& /*x*/, int /*solves*/) { return false; }

    /// Adds what is wanted of D at velocity u; gradient and Hessian are with respect to u.
    virtual void add(const Vector& u, Assembly& out) = 0;
};

} // namespace rubato
