#pragma once

#include "dynamics/free_fall.hpp"
#include "dynamics/memory.hpp"
#include "dynamics/phase_times.hpp"
#include "dynamics/report.hpp"
#include "dynamics/stage.hpp"
#include "dynamics/state.hpp"
#include "dynamics/touching.hpp"

#include <cmath>
#include <vector>

namespace rubato {

/// Potential energy by column of stats.csv [J].
struct EnergyParts {
    double elastic = 0, gravity = 0, contact = 0, other = 0;
    double total() const { return elastic + gravity + contact + other; }
};

/// The seam between time (integrators, above) and space (systems and solvers, below). One implementation per back end.
///
/// A number that is made of a whole vector (norm, sum, product, whether it is finite) comes from here. Integrators and
/// controllers add and scale vectors and know nothing of their entries, of which another back end may have a part only.
///
/// Prescribed unknowns belong to Dynamics: every call that takes positions, velocities and a time evaluates with the
/// prescribed entries replaced by the script at that time, and returns accelerations of zero for them.
class Dynamics {
public:
    virtual ~Dynamics() = default;

    virtual Eigen::Index unknowns() const = 0;

    /// A step of length h starts at `now`: dissipations are lagged here. Repeating it for a retry is harmless.
    virtual void begin_step(const State& now, double h) = 0;

    /// The step that was attempted last has been accepted, and ended at `after`: memory of solvers and terms moves here
    /// and nowhere else. Where that changed forces, `jump` is by how much, as accelerations [m/s^2].
    virtual Accepted accept(const State& /*after*/, Vector& /*jump*/) { return {}; }
    /// Saves or restores what later steps depend on beside the state.
    virtual void serialize(Archive& /*archive*/) { }

    /// Solves the stage and writes its minimiser to y. `start` must be admissible; the search begins there or at a
    /// better point that can be reached from it. On failure y holds the last iterate.
    virtual SolveReport solve(const Stage& stage, const Vector& start, Vector& y) = 0;

    /// a = -M^-1 grad P(x, t) [m/s^2]: conservative forces only.
    virtual void conservative_acceleration(double t, const Vector& x, Vector& a) = 0;
    /// a -= weight M^-1 grad P(t) of forces from outside, which may jump from step to step (Potential::external), at t
    /// as the step under way feels them. A method that remembers a force leaves them out of it: the next step feels
    /// others.
    virtual void add_jumping_acceleration(double /*t*/, double /*weight*/, Vector& /*a*/) { }
    /// a = -M^-1 (grad P(x, t) + grad D(v)): all forces, dissipation as lagged in begin_step.
    virtual void acceleration(double t, const Vector& x, const Vector& v, Vector& a) = 0;

    /// a = -M^-1 grad D(v): the part of it that dissipations have.
    virtual void dissipative_acceleration(double t, const Vector& v, Vector& a) = 0;

    /// grad D(u) . dx [J]. Where unknowns are prescribed, u is to be the velocity of the script that the forces saw,
    /// and dx what goes with it.
    virtual Dissipated dissipated(const Vector& u, const Vector& dx) = 0;
    /// The same in two: f = -grad D(u) [N], of prescribed unknowns, too, and what such forces dissipate along dx [J].
    virtual void dissipative_force(const Vector& u, Vector& f) = 0;
    virtual Dissipated dissipated_by(const Vector& f, const Vector& dx) const = 0;

    virtual EnergyParts potential_energy(double t, const Vector& x) = 0; ///< without forces from outside [J]
    virtual double kinetic_energy(const Vector& v) const = 0; ///< [J]
    virtual double mass_inner(const Vector& a, const Vector& b) const = 0; ///< a^T M b over the free unknowns

    virtual bool finite(const Vector& a) const = 0; ///< no entry is infinite or not a number
    bool finite(const State& state) const { return std::isfinite(state.t) && finite(state.x) && finite(state.v); }

    /// May one go straight from `from` to `to`? Every method whose end point is not a stage solution asks.
    virtual bool admissible(double t, const Vector& from, const Vector& to) = 0;

    /// Puts prescribed unknowns where the script says at state.t, with the script's velocity.
    virtual void prescribe(State& state) const = 0;

    /// Work that scripts (reactions of inertia and conservative forces at prescribed unknowns) and explicitly
    /// time-dependent potentials did between two accepted states [J]. What scripts do against dissipations comes on
    /// top: `Dissipated::driven` of the step.
    virtual double injected(const State& before, const State& after) = 0;

    /// How the system falls. Known at the first call, and the same until a parameter changes.
    virtual const FreeFall& free_fall() = 0;
    /// For each of its pieces the sum of m g . a over its nodes, g the acceleration by gravity; a [m/s or m/s^2].
    virtual void along_gravity(const Vector& a, std::vector<double>& sums) = 0;
    /// v += t g [m/s], with a time t [s] for each piece.
    virtual void add_gravity(const std::vector<double>& times, Vector& v) = 0;

    /// Does anything change the velocities that a step ends with?
    virtual bool filters() const { return false; }
    /// All that does, on the step of length h [s] from `before`; changes after.v, of prescribed unknowns not.
    virtual void filter(const State& /*before*/, State& /*after*/, double /*h*/) { }

    /// What touches at x.
    virtual Touching touching(const Vector& /*x*/) { return {}; }

    /// Where the time went since the object was made.
    virtual PhaseTimes phase_times() const { return {}; }

    /// Total linear momentum [kg m/s] and angular momentum about the origin [kg m^2/s].
    virtual void momenta(const State& state, Vec3& linear, Vec3& angular) const = 0;
};

} // namespace rubato
