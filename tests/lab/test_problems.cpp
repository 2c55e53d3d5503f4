#include "lab/bar.hpp"
#include "lab/cubic_spring.hpp"
#include "lab/logarithmic_wall.hpp"
#include "lab/quadratic_wall.hpp"
#include "lab/run.hpp"
#include "lab/squared_spring.hpp"
#include "lab/two_springs.hpp"
#include "potentials/springs.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace rubato {
namespace {

/// A potential and a place where it is smooth.
struct Case {
    std::string label;
    std::unique_ptr<Potential> potential;
    Vector x;
};

Vector bar_positions(const std::vector<double>& along)
{
    Vector x = Vector::Zero(3 * static_cast<Eigen::Index>(along.size()));
    for (std::size_t i = 0; i < along.size(); ++i) x[3 * static_cast<Eigen::Index>(i)] = along[i];
    return x;
}

std::vector<Case> cases()
{
    std::vector<Case> all;
    for (const double x : {-0.3, 0.4}) {
        all.push_back({"quadratic wall", std::make_unique<AlongX<QuadraticWall>>(0, QuadraticWall{7}), Vec3(x, 1, 2)});
        all.push_back({"two springs", std::make_unique<AlongX<TwoSprings>>(0, TwoSprings{2}), Vec3(3 * x, 1, 2)});
        all.push_back({"cubic spring", std::make_unique<AlongX<CubicSpring>>(0, CubicSpring{3}), Vec3(x, 1, 2)});
    }
    for (const double x : {0.02, 0.15, 0.4, 0.499, 0.6}) {
        all.push_back(
            {"logarithmic wall", std::make_unique<AlongX<LogarithmicWall>>(0, LogarithmicWall{2, 0.5}), Vec3(x, 0, 0)});
    }
    all.push_back({"squared spring, stretched", std::make_unique<SquaredSpring>(0, 5), Vec3(1.1, -0.3, 0.7)});
    all.push_back({"squared spring, compressed", std::make_unique<SquaredSpring>(0, 5), Vec3(0.2, 0.3, -0.1)});
    all.push_back({"bar", std::make_unique<UniaxialBar>(3, 0.1, 40), bar_positions({0.02, 0.13, 0.19, 0.4})});
    return all;
}

double value_of(Potential& potential, const Vector& x)
{
    double value = 0;
    Assembly sink{.value = &value};
    potential.add(x, 0, sink);
    return value;
}

Vector gradient_of(Potential& potential, const Vector& x)
{
    Vector g = Vector::Zero(x.size());
    Assembly sink{.gradient = &g};
    potential.add(x, 0, sink);
    return g;
}

Eigen::MatrixXd hessian_of(Potential& potential, const Vector& x, bool projected)
{
    BlockPattern pattern(static_cast<Index>(x.size() / 3));
    potential.pattern(pattern);
    BlockMatrix H(pattern);
    Assembly sink{.hessian = &H, .projected = projected};
    potential.add(x, 0, sink);
    H.mirror();
    Eigen::MatrixXd dense(x.size(), x.size());
    Vector column;
    for (Eigen::Index j = 0; j < x.size(); ++j) {
        H.multiply(Vector::Unit(x.size(), j), column);
        dense.col(j) = column;
    }
    return dense;
}

TEST(LabPotentials, GradientsAreDerivativesOfValues)
{
    for (const Case& c : cases()) {
        const Vector g = gradient_of(*c.potential, c.x);
        const double step = 1e-6;
        for (Eigen::Index i = 0; i < c.x.size(); ++i) {
            const Vector e = Vector::Unit(c.x.size(), i) * step;
            const double slope = (value_of(*c.potential, c.x + e) - value_of(*c.potential, c.x - e)) / (2 * step);
            EXPECT_NEAR(g[i], slope, 1e-7 * (1 + g.norm())) << c.label << " at " << c.x.transpose();
        }
    }
}

TEST(LabPotentials, HessiansAreDerivativesOfGradients)
{
    for (const Case& c : cases()) {
        const Eigen::MatrixXd H = hessian_of(*c.potential, c.x, false);
        const double step = 1e-6;
        for (Eigen::Index i = 0; i < c.x.size(); ++i) {
            const Vector e = Vector::Unit(c.x.size(), i) * step;
            const Vector slope = (gradient_of(*c.potential, c.x + e) - gradient_of(*c.potential, c.x - e)) / (2 * step);
            EXPECT_LT((H.col(i) - slope).norm(), 1e-6 * (1 + H.norm())) << c.label << " at " << c.x.transpose();
        }
    }
}

TEST(LabPotentials, ProjectedHessiansKeepThePositivePart)
{
    for (const Case& c : cases()) {
        const Eigen::MatrixXd H = hessian_of(*c.potential, c.x, false), projected = hessian_of(*c.potential, c.x, true);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(H);
        const Eigen::MatrixXd positive
            = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
        EXPECT_LT((projected - positive).norm(), 1e-10 * (1 + H.norm())) << c.label << " at " << c.x.transpose();
    }
}

TEST(LabPotentials, TheCompressedSquaredSpringIsNotConvex)
{
    SquaredSpring spring(0, 5);
    const Eigen::MatrixXd H = hessian_of(spring, Vec3(0.2, 0.3, -0.1), false);
    EXPECT_LT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(H).eigenvalues()[0], -1);
}

TEST(LogarithmicWall, IsInfiniteBehindAndSmoothAtItsEdge)
{
    const LogarithmicWall wall{3, 0.2};
    EXPECT_TRUE(std::isinf(wall.at(0).value));
    EXPECT_TRUE(std::isinf(wall.at(-1).value));
    const Jet2 inside = wall.at(0.2 * (1 - 1e-9)), outside = wall.at(0.2);
    EXPECT_NEAR(inside.value, outside.value, 1e-20);
    EXPECT_NEAR(inside.slope, outside.slope, 1e-14);
    EXPECT_NEAR(inside.curvature, outside.curvature, 1e-5); // vanishes in proportion to the distance from the edge
    EXPECT_NEAR(wall.at(0.1).value, 3 * 0.25 * std::numbers::ln2, 1e-14);
}

TEST(LabPotentials, StepsEndWhereTheDomainEnds)
{
    const AlongX<LogarithmicWall> wall(0, {1, 0.1});
    EXPECT_DOUBLE_EQ(wall.max_step(Vec3(0.3, 0, 0), Vec3(-0.6, 0, 0)), 0.5);
    EXPECT_GT(wall.max_step(Vec3(0.3, 0, 0), Vec3(0.6, 0, 0)), 1);
    const UniaxialBar bar(2, 0.1, 1);
    const Vector x = bar_positions({0, 0.1, 0.2}), p = bar_positions({0, 0, -0.4});
    EXPECT_DOUBLE_EQ(bar.max_step(x, p), 0.25);
    EXPECT_GT(bar.max_step(x, -p), 1);
}

TEST(UniaxialBar, HoldsTheEnergyOfItsFormula)
{
    UniaxialBar bar(2, 0.5, 8);
    const double F = 1.5, G = 0.4;
    const auto energy = [](double stretch) { return 0.5 * 8 / 4 * (stretch * stretch - 1 - 2 * std::log(stretch)); };
    EXPECT_NEAR(value_of(bar, bar_positions({0, 0.5 * F, 0.5 * (F + G)})), energy(F) + energy(G), 1e-13);
    EXPECT_TRUE(std::isinf(value_of(bar, bar_positions({0, 0.5, 0.5}))));
}

TEST(UniaxialBar, SeesStrainsThatRoundOffWouldHide)
{
    UniaxialBar bar(1, 0.5, 8);
    const double strain = 0x1p-30; // exact in the positions
    const double energy = value_of(bar, bar_positions({0, 0.5 * (1 + strain)}));
    EXPECT_NEAR(energy, 0.5 * 8 / 2 * strain * strain, 1e-8 * energy);
}

TEST(UniaxialBar, CarriesWavesAtTheSpeedItWasMadeFor)
{
    // The lowest free mode of a bar of length 1 m has the frequency c/2; by its discretisation it is slower by less
    // than 0.1%.
    const double c = 10;
    LabProblem p = bar_problem({.wave_speed = c, .speed = 0});
    const double amplitude = 1e-3, h = 1e-4;
    for (Index i = 0; i <= 30; ++i) p.start.v[3 * i] = amplitude * std::cos(std::numbers::pi * i / 30);
    double before = amplitude, crossing = 0;
    run_problem(p, {"implicit-midpoint"}, h, 0.1, [&](const StepRecord& record) {
        const double v = record.state.v[0];
        if (crossing == 0 && v < 0) crossing = record.state.t - h + h * before / (before - v);
        before = v;
    });
    EXPECT_NEAR(4 * crossing * c / 2, 1, 1e-3);
}

TEST(BarProblem, StartsWithFiveJoulesAndOneMetreInFrontOfTheWall)
{
    const LabProblem p = bar_problem({});
    EXPECT_NEAR(p.dynamics->kinetic_energy(p.start.v), 5, 1e-13);
    EXPECT_NEAR(p.dynamics->potential_energy(0, p.start.x).total(), 0, 1e-25);
    EXPECT_DOUBLE_EQ(p.start.x[0], 1);
    EXPECT_DOUBLE_EQ(p.start.x[90], 2);
    EXPECT_NEAR(mean_velocity(*p.dynamics, p.start), -1, 1e-15);
    EXPECT_NEAR(p.dynamics->system().mass.nodal()[0], 10.0 / 60, 1e-15);
}

TEST(BarProblem, NeverCrossesTheWallAndNeverInverts)
{
    for (const double c : {1.0, 10.0, 100.0}) {
        LabProblem p = bar_problem({.wave_speed = c});
        double nearest = 1, shortest = 1;
        const RunResult result = run_problem(p, {"implicit-euler"}, 1.0 / 30, 5, [&](const StepRecord& record) {
            const Vector& x = record.state.x;
            nearest = std::min(nearest, x[0]);
            for (Index e = 0; e < 30; ++e) shortest = std::min(shortest, x[3 * e + 3] - x[3 * e]);
        });
        EXPECT_TRUE(result.finished) << result.why;
        EXPECT_GT(nearest, 0);
        EXPECT_LT(nearest, 0.01); // it did meet the barrier
        EXPECT_GT(shortest, 0);
        EXPECT_LT(shortest, 1.0 / 30);
    }
}

TEST(BarProblem, GivesTheSameMotionWithEitherLinearSolver)
{
    LabProblem a = bar_problem({.wave_speed = 10});
    LabProblem b = bar_problem({.wave_speed = 10, .linear = LinearMethod::cholesky});
    const State p = final_state(a, {"bdf2"}, 1.0 / 30, 5), q = final_state(b, {"bdf2"}, 1.0 / 30, 5);
    EXPECT_LT((p.v - q.v).norm(), 1e-8);
}

TEST(BarProblem, DragSlowsAFreeBarAsTheExponentialDoesAndRayleighDampingNotAtAll)
{
    LabProblem dragged = bar_problem({.gap = 100, .damping = BarDamping::drag});
    LabProblem damped = bar_problem({.gap = 100, .damping = BarDamping::rayleigh});
    const State a = final_state(dragged, {"implicit-midpoint"}, 0.01, 5);
    const State b = final_state(damped, {"implicit-midpoint"}, 0.01, 5);
    EXPECT_NEAR(mean_velocity(*dragged.dynamics, a), -std::exp(-0.25), 1e-6);
    EXPECT_NEAR(mean_velocity(*damped.dynamics, b), -1, 1e-9);
}

TEST(SquaredSpringProblem, StartsWith78150JoulesNot25000)
{
    const LabProblem p = squared_spring_problem();
    const double energy = p.dynamics->kinetic_energy(p.start.v) + p.dynamics->potential_energy(0, p.start.x).total();
    EXPECT_NEAR(energy, 78150, 1e-9);
}

TEST(TwoSprings, AreTwoOrdinarySprings)
{
    Springs springs({{0, 1, 3, std::numbers::sqrt2}, {2, 1, 3, std::numbers::sqrt2}});
    AlongX<TwoSprings> law(0, {3});
    for (const double at : {-2.3, -1.0, -0.4, 0.0, 0.7, 1.9}) {
        Vector x(9);
        x << 0, -1, 0, at, 0, 0, 0, 1, 0;
        EXPECT_NEAR(value_of(law, Vec3(at, 0, 0)), value_of(springs, x), 1e-14);
        EXPECT_NEAR(gradient_of(law, Vec3(at, 0, 0))[0], gradient_of(springs, x)[3], 1e-14);
        EXPECT_NEAR(hessian_of(law, Vec3(at, 0, 0), false)(0, 0), hessian_of(springs, x, false)(3, 3), 1e-13);
    }
}

TEST(TwoSprings, BackwardEulerClimbsTheHillFromAnywhereBelowIt)
{
    // 001 App. C: from x in (0, 1) with v = -x/h the step ends on top of the hill with the same velocity.
    const double h = 0.1, x = 0.6;
    LabProblem p = two_springs_problem(1, 1, x, -x / h);
    const State end = final_state(p, {"implicit-euler"}, h, h);
    EXPECT_NEAR(end.x[0], 0, 1e-13);
    EXPECT_NEAR(end.v[0], -x / h, 1e-12);
    EXPECT_GT(TwoSprings{1}.at(end.x[0]).value, TwoSprings{1}.at(x).value + 0.1);
}

TEST(CubicSpring, DamperTakesWhatItsForceSays)
{
    LabProblem p = cubic_spring_problem();
    EXPECT_NEAR(p.dynamics->potential_energy(0, p.start.x).total(), 75, 1e-13);
    const Vec3 u(2, 5, 5);
    p.dynamics->begin_step(p.start, 0.01);
    EXPECT_NEAR(p.dynamics->dissipated(u, Vec3(0.1, 1, 1)).free, (2 + 8) * 0.1, 1e-14);
    Vector a;
    p.dynamics->acceleration(0, Vec3(0.5, 0, 0), u, a);
    EXPECT_NEAR(a[0], -100 * (0.5 + 0.125) - (2 + 8), 1e-12);
    EXPECT_EQ(a[1], 0);
}

TEST(CubicSpring, EnergyLostIsEnergyDissipated)
{
    LabProblem p = cubic_spring_problem();
    double total = 0, dissipated = 0;
    run_problem(p, {"implicit-midpoint"}, 1e-4, 1, [&](const StepRecord& record) {
        total = record.total();
        dissipated = record.ledger.dissipated;
    });
    EXPECT_GT(dissipated, 30);
    EXPECT_NEAR(total + dissipated, 75, 1e-3);
}

} // namespace
} // namespace rubato
