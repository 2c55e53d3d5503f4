#pragma once

#include "dynamics/potential.hpp"
#include "potentials/profiles.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace rubato {

/// Uniform gravity: P = -sum_i m_i g . (x_i - origin). Its zero is where the user put `origin`.
class Gravity final : public Potential {
public:
    Gravity(Vector nodal_mass, const Vec3& g, const Vec3& origin);
    std::string_view name() const override { return "gravity"; }
    EnergyKind kind() const override { return EnergyKind::gravity; }
    void pattern(BlockPattern&) const override { }
    void add(const Vector& x, double t, Assembly& out) override;
    bool set(std::string_view parameter, double value) override; ///< x, y, z: of g [m/s^2]

private:
    void weigh();

    Vector nodal_mass_; // [kg]
    Vec3 g_; // [m/s^2]
    Vector weight_; // m_i g, stacked [N]
    Vec3 origin_; // [m]
};

/// A force that depends on time only: f_i(t) = factor(t) f_i, or its mean through a step in which it is not smooth,
/// with P = -factor(t) sum_i f_i . (x_i - X_i), X_i the place where node i started. A constant force has this energy;
/// one that changes acts from outside.
class NodalForce final : public Potential {
public:
    /// Without a profile the force is constant.
    NodalForce(std::vector<Index> nodes, std::vector<Vec3> forces, const Vector& X,
        std::shared_ptr<const ForceProfile> profile = {});
    std::string_view name() const override { return "force"; }
    EnergyKind kind() const override { return EnergyKind::other; }
    void pattern(BlockPattern&) const override { }
    void add(const Vector& x, double t, Assembly& out) override;
    bool depends_on_time() const override { return profile_ != nullptr; }
    void begin_step(double t, double h) override;
    bool external() const override { return profile_ != nullptr; }
    bool acts_as_mean() const override { return mean_.has_value(); }

private:
    std::vector<Index> nodes_;
    std::vector<Vec3> forces_, X_;
    std::shared_ptr<const ForceProfile> profile_;
    std::optional<double> mean_; // of the factor over the step under way, where samples would not do
};

} // namespace rubato
