#include "potentials/motions.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace rubato {

Translation::Translation(const Vec3& velocity, double begin, double end)
    : velocity_(velocity)
    , begin_(begin)
    , end_(end)
{
}

Vec3 Translation::position(const Vec3& X, double t) const
{
    return X + (std::clamp(t, begin_, end_) - begin_) * velocity_;
}

Vec3 Translation::velocity(const Vec3& /*X*/, double t) const
{
    return t >= begin_ && t < end_ ? velocity_ : Vec3(Vec3::Zero());
}

Rotation::Rotation(const Vec3& center, const Vec3& axis, double rate, double begin, double end)
    : center_(center)
    , axis_(axis.normalized())
    , rate_(rate)
    , begin_(begin)
    , end_(end)
{
}

double Rotation::angle(double t) const { return rate_ * (std::clamp(t, begin_, end_) - begin_); }

Vec3 Rotation::position(const Vec3& X, double t) const
{
    return center_ + Eigen::AngleAxisd(angle(t), axis_) * (X - center_);
}

Vec3 Rotation::velocity(const Vec3& X, double t) const { return spin(t).cross(position(X, t) - center_); }

Vec3 Rotation::spin(double t) const { return t >= begin_ && t < end_ ? Vec3(rate_ * axis_) : Vec3(Vec3::Zero()); }

Oscillation::Oscillation(const Vec3& amplitude, double frequency)
    : amplitude_(amplitude)
    , omega_(2 * std::numbers::pi * frequency)
{
}

Vec3 Oscillation::position(const Vec3& X, double t) const { return X + 0.5 * (1 - std::cos(omega_ * t)) * amplitude_; }

Vec3 Oscillation::velocity(const Vec3& /*X*/, double t) const
{
    return 0.5 * omega_ * std::sin(omega_ * t) * amplitude_;
}

Keyframes::Keyframes(std::vector<double> times, std::vector<Vec3> displacements)
    : times_(std::move(times))
    , displacements_(std::move(displacements))
{
    assert(!times_.empty() && times_.size() == displacements_.size());
}

/// Between keys a and b with r = (t - t_a)/(t_b - t_a): d_a + (3 r^2 - 2 r^3)(d_b - d_a).
Vec3 Keyframes::position(const Vec3& X, double t) const
{
    if (t <= times_.front()) return X + displacements_.front();
    if (t >= times_.back()) return X + displacements_.back();
    const auto b = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
    const double r = (t - times_[b - 1]) / (times_[b] - times_[b - 1]);
    return X + displacements_[b - 1] + r * r * (3 - 2 * r) * (displacements_[b] - displacements_[b - 1]);
}

Vec3 Keyframes::velocity(const Vec3& /*X*/, double t) const
{
    if (t <= times_.front() || t >= times_.back()) return Vec3::Zero();
    const auto b = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
    const double length = times_[b] - times_[b - 1];
    const double r = (t - times_[b - 1]) / length;
    return 6 * r * (1 - r) / length * (displacements_[b] - displacements_[b - 1]);
}

} // namespace rubato
