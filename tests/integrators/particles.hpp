#pragma once

#include "contracts/small_systems.hpp"

#include <cmath>
#include <limits>

/// One particle in a strongly nonlinear field, for methods that control energy.
namespace rubato::small {

/// P = k/2 (|x|^2 - 1)^2 (001 eq. 7): zero on the unit sphere, ever stiffer outside.
class SquaredSpring final : public Potential {
public:
    explicit SquaredSpring(double k) // [J/m^4]
        : k_(k)
    {
    }
    std::string_view name() const override { return "squared-spring"; }
    EnergyKind kind() const override { return EnergyKind::elastic; }
    void pattern(BlockPattern&) const override { }
    void add(const Vector& x, double, Assembly& out) override
    {
        const double stretch = x.squaredNorm() - 1;
        if (out.value != nullptr) *out.value += out.value_weight * 0.5 * k_ * stretch * stretch;
        if (out.gradient != nullptr) *out.gradient += (out.gradient_weight * 2 * k_ * stretch) * x;
        if (out.hessian == nullptr) return;
        const double across = out.projected.at(Index{0}) ? std::max(stretch, 0.0) : stretch;
        const double along
            = out.projected.at(Index{0}) ? std::max(3 * x.squaredNorm() - 1, 0.0) : 3 * x.squaredNorm() - 1;
        const Vec3 n = x.normalized();
        const Mat3 H = 2 * k_ * (across * (Mat3::Identity() - n * n.transpose()) + along * n * n.transpose());
        out.hessian->block(out.hessian->slot(0, 0)) += out.hessian_weight * H;
    }

private:
    double k_;
};

/// P = -k ln x: no particle gets to x <= 0.
class LogWall final : public Potential {
public:
    explicit LogWall(double k) // [J]
        : k_(k)
    {
    }
    std::string_view name() const override { return "log-wall"; }
    EnergyKind kind() const override { return EnergyKind::other; } // contact is never negative
    void pattern(BlockPattern&) const override { }
    void add(const Vector& x, double, Assembly& out) override
    {
        const double d = x[0];
        if (out.value != nullptr) {
            *out.value += d > 0 ? -out.value_weight * k_ * std::log(d) : std::numeric_limits<double>::infinity();
        }
        if (out.gradient != nullptr) (*out.gradient)[0] -= out.gradient_weight * k_ / d;
        if (out.hessian != nullptr) {
            out.hessian->block(out.hessian->slot(0, 0))(0, 0) += out.hessian_weight * k_ / (d * d);
        }
    }
    double max_step(const Vector& x, const Vector& p) const override
    {
        return p[0] < 0 ? x[0] / -p[0] : std::numeric_limits<double>::infinity();
    }

private:
    double k_;
};

inline Problem particle(std::unique_ptr<Potential> potential, double mass, const Vec3& x, const Vec3& v)
{
    System system;
    system.mass = Mass(Vector::Constant(1, mass));
    system.potentials.push_back(std::move(potential));
    return problem(std::move(system), {.t = 0, .x = x, .v = v}, 1.0);
}

/// The example of 001 sec. 3: H = 78,150 J.
inline Problem squared_spring()
{
    return particle(std::make_unique<SquaredSpring>(1e5), 0.5, Vec3(1.5, 0, 0), Vec3(0, 10, 0));
}
/// The same in slow motion: steps of 0.05 s resolve it.
inline Problem soft_squared_spring()
{
    return particle(std::make_unique<SquaredSpring>(2), 0.5, Vec3(1.5, 0, 0), Vec3(0, 0.7, 0.2));
}

} // namespace rubato::small
