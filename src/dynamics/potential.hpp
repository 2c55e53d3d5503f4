#pragma once

#include "dynamics/assembly.hpp"
#include "dynamics/memory.hpp"
#include "dynamics/touching.hpp"

#include <limits>
#include <string_view>

namespace rubato {

/// The column of stats.csv that a potential's energy is counted in.
enum class EnergyKind {
    elastic,
    gravity, ///< its force is the same everywhere and always
    contact, ///< never negative
    other
};

/// Which rigid motions of all nodes leave the value unchanged; checked by the contract tests.
struct Invariance {
    bool translation = false;
    bool rotation = false;
};

/// One conservative term P(x, t) [J]. It has never heard of a time step.
class Potential : public Memory {
public:
    virtual ~Potential() = default;

    virtual std::string_view name() const = 0;
    virtual EnergyKind kind() const = 0;
    virtual Invariance invariance() const { return {}; }

    /// Announces the blocks its Hessian may touch wherever the nodes are.
    virtual void pattern(BlockPattern& pattern) const = 0;

    /// Announces the further blocks that its Hessian touches at x: those of contacts, which come and go. Asked before
    /// every assembly of a Hessian.
    virtual void pattern_at(const Vector& /*x*/, BlockPattern& /*pattern*/) { }

    /// Adds what is wanted at positions x [m] and time t [s]. The value is +infinity where the potential is not defined
    /// (an inverted element of a barrier material); the gradient is then not asked for.
    virtual void add(const Vector& x, double t, Assembly& out) = 0;

    /// A step of length h [s] from t begins, and lasts until the next call. What depends on time and does not stay
    /// smooth within a step, a force that is switched, acts through the step as its mean over it: no method samples
    /// time so finely that it could not miss it. Repeating the call for a retry is harmless.
    virtual void begin_step(double /*t*/, double /*h*/) { }
    /// A force that depends on time alone acts from outside: its energy is not one of the system, what it does is work.
    /// It may jump from one step to the next.
    virtual bool external() const { return false; }
    /// Whether it acts through the step under way as its mean.
    virtual bool acts_as_mean() const { return false; }

    /// Called before a solve that starts at x and may move nodes by up to `reach` [m].
    virtual void prepare(const Vector& /*x*/, double /*reach*/) { }

    /// The smallest a in (0, 1] at which x + a p leaves the domain of the potential; more than 1 (or infinity) means
    /// that the whole step is allowed.
    virtual double max_step(const Vector& /*x*/, const Vector& /*p*/) const
    {
        return std::numeric_limits<double>::infinity();
    }

    /// What touches at x.
    virtual Touching touching(const Vector& /*x*/) { return {}; }

    /// True if P depends on t explicitly: its change at fixed x is injected energy.
    virtual bool depends_on_time() const { return false; }

    /// Gives a parameter another value, between two steps. False: it has none of this name.
    virtual bool set(std::string_view /*parameter*/, double /*value*/) { return false; }
};

} // namespace rubato
