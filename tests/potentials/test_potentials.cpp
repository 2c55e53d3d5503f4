#include "geometry/generators.hpp"
#include "potentials/forces.hpp"
#include "potentials/motions.hpp"
#include "potentials/random_state.hpp"
#include "potentials/springs.hpp"
#include "potentials/tetrahedra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>

namespace rubato {
namespace {

struct Case {
    std::string label;
    std::unique_ptr<Potential> potential;
    Index nodes;
    Vector x; ///< a place where it is smooth
};

/// Every kind of potential on a small body, at a deformed and turned state.
std::vector<Case> cases()
{
    const TetMesh mesh = box_mesh(Vec3(1, 0.8, 1.2), {2, 1, 2});
    const Vector X = stacked(mesh.nodes);
    const auto nodes = static_cast<Index>(mesh.nodes.size());
    Vector x = X + random_vector(X.size(), 0.06, 1);
    const Eigen::AngleAxisd turn(0.7, Vec3(1, 2, 3).normalized());
    for (Index i = 0; i < nodes; ++i) node(x, i) = turn * Vec3(node(x, i));

    std::vector<Case> all;
    for (const MaterialEntry& entry : tetrahedra_catalog()) {
        Options options = defaults(entry.options);
        options.set("young", 1e3);
        all.push_back({entry.name, entry.make(options, TetBatches(mesh.tets, X)), nodes, x});
    }
    std::vector<Spring> springs;
    for (Index i = 1; i < nodes; ++i) springs.push_back({0, i, 10.0 + i, 0.3});
    all.push_back({"springs", std::make_unique<Springs>(springs), nodes, x});
    const auto path = std::make_shared<Translation>(Vec3(1, 0, 0), 0, 1);
    all.push_back({"attachments",
        std::make_unique<Attachments>(
            std::vector<Attachment>{{2, 40, Vec3(0, 1, 0), path}, {5, 7, Vec3::Zero(), path}}),
        nodes, x});
    all.push_back({"gravity", std::make_unique<Gravity>(Vector::Constant(nodes, 0.3), Vec3(0, -9.8, 1), Vec3(0, 2, 0)),
        nodes, x});
    all.push_back({"force",
        std::make_unique<NodalForce>(std::vector<Index>{1, 4}, std::vector<Vec3>{Vec3(1, 2, 3), Vec3(-1, 0, 5)}, X,
            std::make_shared<PiecewiseLinear>(std::vector<double>{0, 9}, std::vector<double>{1, 10})),
        nodes, x});
    return all;
}

BlockMatrix matrix_for(const Potential& potential, Index nodes)
{
    BlockPattern pattern(nodes);
    potential.pattern(pattern);
    return BlockMatrix(pattern);
}

double value_at(Potential& potential, const Vector& x, double t)
{
    double value = 0;
    Assembly out{.value = &value};
    potential.add(x, t, out);
    return value;
}

Vector gradient_at(Potential& potential, const Vector& x, double t)
{
    Vector g = Vector::Zero(x.size());
    Assembly out{.gradient = &g};
    potential.add(x, t, out);
    return g;
}

TEST(Potentials, GradientIsTheDerivativeOfTheValue)
{
    for (Case& c : cases()) {
        const Vector g = gradient_at(*c.potential, c.x, 0.4);
        const Vector d = random_vector(c.x.size(), 1, 2);
        const double e = 1e-5;
        // fourth-order central difference
        const auto f = [&](double a) { return value_at(*c.potential, c.x + a * d, 0.4); };
        const double slope = (8 * (f(e) - f(-e)) - (f(2 * e) - f(-2 * e))) / (12 * e);
        EXPECT_NEAR(g.dot(d), slope, 1e-7 * (1 + std::abs(slope))) << c.label;
    }
}

TEST(Potentials, HessianIsTheDerivativeOfTheGradient)
{
    for (Case& c : cases()) {
        BlockMatrix H = matrix_for(*c.potential, c.nodes);
        Assembly out{.hessian = &H, .projected = false};
        c.potential->add(c.x, 0.4, out);
        H.mirror();
        const Vector d = random_vector(c.x.size(), 1, 3);
        Vector Hd;
        H.multiply(d, Hd);
        const double e = 1e-5;
        const auto g = [&](double a) { return gradient_at(*c.potential, c.x + a * d, 0.4); };
        const Vector change = (8 * (g(e) - g(-e)) - (g(2 * e) - g(-2 * e))) / (12 * e);
        EXPECT_LE((Hd - change).norm(), 1e-6 * (1 + change.norm())) << c.label;
    }
}

TEST(Potentials, HessianIsSymmetricAndPositiveSemidefiniteWhenProjected)
{
    for (Case& c : cases()) {
        BlockMatrix H = matrix_for(*c.potential, c.nodes);
        Assembly out{.hessian = &H, .projected = true};
        // strongly compressed, so that the exact Hessian would be indefinite
        c.potential->add(0.6 * c.x, 0.4, out);
        H.mirror();
        Eigen::MatrixXd dense(c.x.size(), c.x.size());
        Vector unit, column;
        for (Eigen::Index j = 0; j < c.x.size(); ++j) {
            unit = Vector::Unit(c.x.size(), j);
            H.multiply(unit, column);
            dense.col(j) = column;
        }
        EXPECT_LE((dense - dense.transpose()).norm(), 1e-12 * (1 + dense.norm())) << c.label;
        const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense).eigenvalues();
        EXPECT_GE(eigenvalues.minCoeff(), -1e-10 * dense.norm()) << c.label;
    }
}

TEST(Potentials, OnePassGivesWhatSeparatePassesGive)
{
    for (Case& c : cases()) {
        double value = 1;
        Vector g = Vector::Ones(c.x.size());
        BlockMatrix H = matrix_for(*c.potential, c.nodes);
        Assembly out{.value = &value, .gradient = &g, .hessian = &H, .value_weight = 2, .gradient_weight = 3};
        c.potential->add(c.x, 0.4, out);
        EXPECT_NEAR(value, 1 + 2 * value_at(*c.potential, c.x, 0.4), 1e-11 * (1 + std::abs(value))) << c.label;
        const Vector expected = Vector::Ones(c.x.size()) + 3 * gradient_at(*c.potential, c.x, 0.4);
        EXPECT_LE((g - expected).norm(), 1e-11 * (1 + expected.norm())) << c.label;
    }
}

TEST(Potentials, DeclaredInvariancesHold)
{
    for (Case& c : cases()) {
        const double before = value_at(*c.potential, c.x, 0.4);
        Vector moved = c.x;
        for (Index i = 0; i < c.nodes; ++i) node(moved, i) += Vec3(0.3, -2, 1);
        Vector turned = c.x;
        const Eigen::AngleAxisd turn(2.1, Vec3(-1, 0.5, 2).normalized());
        for (Index i = 0; i < c.nodes; ++i) node(turned, i) = turn * Vec3(node(c.x, i));
        const double tolerance = 1e-9 * (1 + std::abs(before));
        EXPECT_EQ(
            std::abs(value_at(*c.potential, moved, 0.4) - before) < tolerance, c.potential->invariance().translation)
            << c.label;
        EXPECT_EQ(
            std::abs(value_at(*c.potential, turned, 0.4) - before) < tolerance, c.potential->invariance().rotation)
            << c.label;
    }
}

TEST(Tetrahedra, UniformStretchHasTheClosedFormEnergy)
{
    const TetMesh mesh = box_mesh(Vec3(1, 2, 3), {2, 2, 2});
    const Vector X = stacked(mesh.nodes);
    const double young = 1e4, poisson = 0.3, s = 1.3;
    const double mu = young / (2 * (1 + poisson)), lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    Vector x = X;
    for (Index i = 0; i < static_cast<Index>(mesh.nodes.size()); ++i) x[3 * i] *= s;
    for (const MaterialEntry& entry : tetrahedra_catalog()) {
        if (entry.name != "neo-hookean") continue;
        Options options = defaults(entry.options);
        options.set("young", young);
        const auto potential = entry.make(options, TetBatches(mesh.tets, X));
        const double J = std::log(s);
        const double expected = 6 * (mu / 2 * (s * s - 1) - mu * J + lambda / 2 * J * J);
        EXPECT_NEAR(value_at(*potential, x, 0), expected, 1e-10 * expected);
        return;
    }
    FAIL() << "neo-hookean is not in the catalog";
}

TEST(Tetrahedra, BarrierMaterialsCapTheStepAtInversionExactly)
{
    const TetMesh mesh = box_mesh(Vec3(1, 1, 1), {1, 1, 1});
    const Vector X = stacked(mesh.nodes);
    int barriers = 0;
    for (const MaterialEntry& entry : tetrahedra_catalog()) {
        Options options = defaults(entry.options);
        options.set("young", 1e4);
        const auto potential = entry.make(options, TetBatches(mesh.tets, X));
        // squash along y: y -> (1 - 2 a) y is flat at a = 1/2
        Vector p = Vector::Zero(X.size());
        for (Index i = 0; i < static_cast<Index>(mesh.nodes.size()); ++i) p[3 * i + 1] = -2 * X[3 * i + 1];
        const double cap = potential->max_step(X, p);
        if (!entry.is_barrier) {
            EXPECT_GT(cap, 1) << entry.name;
            EXPECT_TRUE(std::isfinite(value_at(*potential, X + p, 0))) << entry.name;
            continue;
        }
        ++barriers;
        EXPECT_NEAR(cap, 0.5, 1e-12) << entry.name;
        EXPECT_TRUE(std::isfinite(value_at(*potential, X + 0.999 * cap * p, 0))) << entry.name;
        EXPECT_EQ(value_at(*potential, X + 1.001 * cap * p, 0), std::numeric_limits<double>::infinity()) << entry.name;
    }
    EXPECT_EQ(barriers, 3);
}

TEST(Tetrahedra, LumpedMassIsDensityTimesVolume)
{
    const TetMesh mesh = box_mesh(Vec3(1, 2, 3), {3, 2, 2});
    const Vector X = stacked(mesh.nodes);
    Vector mass = Vector::Zero(static_cast<Eigen::Index>(mesh.nodes.size()));
    add_lumped_mass(TetBatches(mesh.tets, X), 700, mass);
    EXPECT_NEAR(mass.sum(), 700 * 6, 1e-9);
    EXPECT_GT(mass.minCoeff(), 0);
}

} // namespace
} // namespace rubato
