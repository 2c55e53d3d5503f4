#include "potentials/damping.hpp"
#include "potentials/forces.hpp"
#include "potentials/motions.hpp"
#include "potentials/random_state.hpp"
#include "potentials/springs.hpp"
#include "solvers/cpu_dynamics.hpp"
#include "solvers/nonlinear/linearly_implicit.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace rubato {
namespace {

/// D(u) = c/3 sum |u_i|^3: drag that grows with the square of the speed.
class QuadraticDrag final : public Dissipation {
public:
    explicit QuadraticDrag(double c)
        : c_(c)
    {
    }
    std::string_view name() const override { return "quadratic drag"; }
    void pattern(BlockPattern&) const override { }
    void freeze(const State&) override { }
    void add(const Vector& u, Assembly& out) override
    {
        for (Index i = 0; i < static_cast<Index>(u.size() / 3); ++i) {
            const Vec3 w = node(u, i);
            const double speed = w.norm();
            if (out.value != nullptr) *out.value += out.value_weight * c_ / 3 * speed * speed * speed;
            if (out.gradient != nullptr) node(*out.gradient, i) += out.gradient_weight * c_ * speed * w;
            if (out.hessian != nullptr) {
                out.hessian->block(out.hessian->slot(i, i)) += out.hessian_weight * c_
                    * (speed * Mat3::Identity() + w * w.transpose() / std::max(speed, 1e-300));
            }
        }
    }

private:
    double c_;
};

Stage end_of_step(const State& now, double h)
{
    return {.x_tilde = now.x + h * now.v, .x_anchor = now.x, .tau = h, .scale = h * h, .t = now.t + h};
}

SolveReport solved(CpuDynamics& dynamics, const State& now, double h, Vector& y)
{
    dynamics.begin_step(now, h);
    return dynamics.solve(end_of_step(now, h), now.x, y);
}

/// v' = v + h M^-1 F~, x' = x + h v', F~ = F + dF/dx (x' - x) + dF/dv (v' - v), that is
/// (M - h^2 dF/dx - h dF/dv) (v' - v) = h (F + h dF/dx v), everything written out for two nodes on a spring.
TEST(LinearlyImplicit, IsTheStepWithLinearisedForces)
{
    constexpr double k = 40, L = 0.6, c = 3, h = 0.15, m0 = 0.5, m1 = 1.2;
    State now{0, Vector(6), Vector(6)};
    now.x << 0.1, 0.2, -0.3, 0.9, -0.1, 0.4;
    now.v << 1.5, -0.5, 0.7, -2.0, 0.8, 0.3;

    using Matrix6 = Eigen::Matrix<double, 6, 6>;
    const Vec3 way = now.x.tail<3>() - now.x.head<3>();
    const double l = way.norm();
    const Vec3 d = way / l;
    const Mat3 K = k * (d * d.transpose() + (1 - L / l) * (Mat3::Identity() - d * d.transpose()));
    Matrix6 M = Matrix6::Zero(), Fx, Fv = Matrix6::Zero();
    M.topLeftCorner<3, 3>() = m0 * Mat3::Identity();
    M.bottomRightCorner<3, 3>() = m1 * Mat3::Identity();
    Fx << -K, K, K, -K;
    Vector F(6);
    F << k * (l - L) * d, -k * (l - L) * d;
    for (Index i = 0; i < 2; ++i) {
        const Vec3 v = node(now.v, i);
        node(F, i) -= c * v.norm() * v;
        Fv.block<3, 3>(3 * i, 3 * i) = -c * (v.norm() * Mat3::Identity() + v * v.transpose() / v.norm());
    }
    const Matrix6 A = M - h * h * Fx - h * Fv;
    const Vector dv = A.partialPivLu().solve(h * (F + h * Fx * now.v));
    const Vector expected = now.x + h * (now.v + dv);

    System system;
    system.mass = Mass(Vector(Eigen::Vector2d(m0, m1)));
    system.potentials.push_back(std::make_unique<Springs>(std::vector<Spring>{{0, 1, k, L}}));
    system.dissipations.push_back(std::make_unique<QuadraticDrag>(c));
    system.prescription.finish(6);
    CpuDynamics dynamics(std::move(system), std::make_unique<LinearlyImplicit>(), nullptr);
    Vector y;
    const SolveReport report = solved(dynamics, now, h, y);
    EXPECT_EQ(report.reason, StopReason::enough);
    EXPECT_EQ(report.iterations, 1);
    EXPECT_LE((y - expected).norm(), 1e-14);
    EXPECT_GT((expected - now.x - h * now.v).norm(), 0.05) << "forces hardly matter";
}

/// Springs of no length, drag, a force in time and a node on its way: everything is linear, one step is exact.
System linear_system()
{
    System system;
    system.mass = Mass(Vector(Eigen::Vector4d(1, 0.4, 0.7, 2)));
    system.potentials.push_back(
        std::make_unique<Springs>(std::vector<Spring>{{0, 1, 30, 0}, {1, 2, 50, 0}, {2, 3, 20, 0}}));
    system.dissipations.push_back(std::make_unique<Drag>(system.mass, 1.5));
    system.prescription.add(0, Vec3::Zero(), std::make_shared<Oscillation>(Vec3(0.5, 0.2, -0.3), 0.8));
    system.prescription.finish(system.unknowns());
    return system;
}

TEST(LinearlyImplicit, IsExactForALinearSystem)
{
    constexpr double h = 0.1;
    System first = linear_system(), second = linear_system();
    CpuDynamics one(std::move(first), std::make_unique<LinearlyImplicit>(), nullptr);
    CpuDynamics newton(std::move(second), NewtonOptions{.velocity_tolerance = 1e-12});
    State now{0.3, random_vector(12, 1, 3), random_vector(12, 1, 4)};
    one.prescribe(now);
    Vector y, minimiser;
    ASSERT_TRUE(solved(one, now, h, y).ok());
    ASSERT_TRUE(solved(newton, now, h, minimiser).ok());
    EXPECT_LE((y - minimiser).lpNorm<Eigen::Infinity>(), 1e-13);
    EXPECT_GT((minimiser - now.x).head<3>().norm(), 1e-3) << "the script stands still";
}

/// Where forces are not linear it stops short of the minimum, and says that it did not look for it.
TEST(LinearlyImplicit, LeavesTheErrorOfTheLinearisation)
{
    constexpr double h = 0.1;
    double error[2];
    for (int half = 0; half < 2; ++half) {
        System systems[2];
        for (System& system : systems) {
            system.mass = Mass(Vector(Eigen::Vector2d(1, 1)));
            system.potentials.push_back(std::make_unique<Springs>(std::vector<Spring>{{0, 1, 60, 1}}));
            system.prescription.finish(6);
        }
        CpuDynamics one(std::move(systems[0]), std::make_unique<LinearlyImplicit>(), nullptr);
        CpuDynamics newton(std::move(systems[1]), NewtonOptions{.velocity_tolerance = 1e-12, .projected = false});
        State now{0, Vector::Zero(6), Vector::Zero(6)};
        now.x[3] = 1.1;
        now.v << 0, -2, 0.5, 0.3, 2, -0.5;
        const double step = half == 0 ? h : h / 2;
        Vector y, minimiser;
        ASSERT_TRUE(solved(one, now, step, y).ok());
        ASSERT_TRUE(solved(newton, now, step, minimiser).ok());
        error[half] = (y - minimiser).norm();
    }
    EXPECT_GT(error[1], 1e-6);
    EXPECT_GT(error[0] / error[1], 8) << "h^2 grad P is off by the square of a way of order h";
}

TEST(LinearlyImplicit, RefusesNothingButContact)
{
    System system = linear_system();
    EXPECT_TRUE(LinearlyImplicit().refusals(system).empty());
}

} // namespace
} // namespace rubato
