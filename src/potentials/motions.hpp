#pragma once

#include "dynamics/prescription.hpp"

#include <vector>

/// Paths for scripted nodes and for the points that attachments are tied to.
namespace rubato {

/// Stays where it is.
class Rest final : public Motion {
public:
    Vec3 position(const Vec3& X, double) const override { return X; }
    Vec3 velocity(const Vec3&, double) const override { return Vec3::Zero(); }
    bool at_rest() const override { return true; }
};

/// Moves with a constant velocity [m/s] from `begin` to `end` [s], at rest before and after.
class Translation final : public Motion {
public:
    Translation(const Vec3& velocity, double begin, double end);
    Vec3 position(const Vec3& X, double t) const override;
    Vec3 velocity(const Vec3& X, double t) const override;

private:
    Vec3 velocity_;
    double begin_, end_;
};

/// Turns about an axis through `center` [m] with a constant rate [rad/s] from `begin` to `end` [s].
class Rotation final : public Motion {
public:
    Rotation(const Vec3& center, const Vec3& axis, double rate, double begin, double end);
    Vec3 position(const Vec3& X, double t) const override;
    Vec3 velocity(const Vec3& X, double t) const override;
    bool turns() const override { return rate_ != 0; }
    Vec3 turned(double t) const override { return angle(t) * axis_; }
    Vec3 spin(double t) const override;

private:
    double angle(double t) const;
    Vec3 center_, axis_;
    double rate_, begin_, end_;
};

/// Swings along `amplitude` [m]: X + amplitude (1 - cos(2 pi f t))/2, which starts at rest. f [Hz].
class Oscillation final : public Motion {
public:
    Oscillation(const Vec3& amplitude, double frequency);
    Vec3 position(const Vec3& X, double t) const override;
    Vec3 velocity(const Vec3& X, double t) const override;

private:
    Vec3 amplitude_;
    double omega_;
};

/// How something round that follows `motion` turns, as a path: displaced by the angle turned times the radius [m], with
/// the velocity spin times radius [m/s]. Of the node that stands for the turning of an obstacle (decision 0021).
class Turning final : public Motion {
public:
    Turning(std::shared_ptr<const Motion> motion, double radius)
        : motion_(std::move(motion))
        , radius_(radius)
    {
    }
    Vec3 position(const Vec3& X, double t) const override { return X + radius_ * motion_->turned(t); }
    Vec3 velocity(const Vec3&, double t) const override { return radius_ * motion_->spin(t); }

private:
    std::shared_ptr<const Motion> motion_;
    double radius_;
};

/// Displacements at given times, joined by monotone cubic pieces with zero velocity at every key: smooth, no overshoot.
class Keyframes final : public Motion {
public:
    Keyframes(std::vector<double> times, std::vector<Vec3> displacements); ///< times ascending [s]
    Vec3 position(const Vec3& X, double t) const override;
    Vec3 velocity(const Vec3& X, double t) const override;

private:
    std::vector<double> times_;
    std::vector<Vec3> displacements_;
};

} // namespace rubato
