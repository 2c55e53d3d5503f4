#pragma once

#include "dynamics/state.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// A path in time. One object may move many nodes, each from its own place X [m] at the start.
class Motion {
public:
    virtual ~Motion() = default;
    virtual Vec3 position(const Vec3& X, double t) const = 0; ///< [m]
    virtual Vec3 velocity(const Vec3& X, double t) const = 0; ///< [m/s], the exact derivative of position
    virtual bool at_rest() const { return false; } ///< never moves: a fixed node

    /// How a rigid body that follows it turns: its velocity at a point p is velocity(X) + spin x (p - position(X)).
    virtual bool turns() const { return false; }
    virtual Vec3 turned(double /*t*/) const { return Vec3::Zero(); } ///< the integral of spin, 0 at the start [rad]
    virtual Vec3 spin(double /*t*/) const { return Vec3::Zero(); } ///< [rad/s]
};

/// Unknowns that follow a script instead of the equations of motion. Whatever an integrator reflects or mixes, at the
/// end of a step they are where the script says, X(t) with velocity X'(t); M^-1 ignores them.
class Prescription {
public:
    /// Node i follows `motion` from X; `axes` says which of its three unknowns do.
    void add(
        Index i, const Vec3& X, std::shared_ptr<const Motion> motion, std::array<bool, 3> axes = {true, true, true});

    /// Call once, after the last add: `unknowns` is the size of the state vectors.
    void finish(Eigen::Index unknowns);

    /// That of these nodes, ascending, as if there were no others.
    Prescription among(const std::vector<Index>& nodes) const;

    bool empty() const { return entries_.empty(); }
    bool moving() const { return moving_; } ///< some script is not at rest
    bool holds(Eigen::Index unknown) const { return !mask_.empty() && mask_[static_cast<std::size_t>(unknown)] != 0; }
    const std::vector<Eigen::Index>& unknowns() const { return unknowns_; } ///< the prescribed ones, ascending

    void set_positions(double t, Vector& x) const; ///< overwrites the prescribed entries of x by X(t)
    void set_velocities(double t, Vector& v) const; ///< overwrites the prescribed entries of v by X'(t)
    void set_zero(Vector& f) const; ///< clears the prescribed entries

private:
    struct Entry {
        Index node;
        Vec3 X;
        std::shared_ptr<const Motion> motion;
        std::array<bool, 3> axes;
    };
    std::vector<Entry> entries_;
    std::vector<Eigen::Index> unknowns_;
    std::vector<char> mask_;
    bool moving_ = false;
};

} // namespace rubato
