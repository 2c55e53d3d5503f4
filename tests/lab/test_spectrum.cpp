#include "base/errors.hpp"
#include "geometry/generators.hpp"
#include "lab/run.hpp"
#include "lab/spectrum.hpp"
#include "potentials/motions.hpp"
#include "potentials/springs.hpp"
#include "potentials/tetrahedra.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace rubato {
namespace {

struct Body {
    System system;
    Vector X;
};

/// n masses m in a row on springs k, the first tied to a node that is fixed, the last one free; all move along x alone.
Body chain(Index n, double k, double m)
{
    Body body;
    body.system.mass = Mass(Vector::Constant(n + 1, m));
    body.X = Vector::Zero(3 * (n + 1));
    std::vector<Spring> springs;
    const auto rest = std::make_shared<Rest>();
    for (Index i = 0; i <= n; ++i) {
        node(body.X, i) = Vec3(0.5 * i, 0, 0);
        if (i > 0) springs.push_back({i - 1, i, k, 0.5});
        body.system.prescription.add(i, node(body.X, i), rest, {i == 0, true, true});
    }
    body.system.prescription.finish(body.X.size());
    body.system.potentials.push_back(std::make_unique<Springs>(springs));
    return body;
}

/// A block of tetrahedra, free or with one end fixed.
Body block(std::array<int, 3> cells, bool fixed)
{
    const TetMesh mesh = box_mesh(Vec3(0.5, 0.2, 0.3), cells);
    Body body;
    body.X.resize(3 * static_cast<Eigen::Index>(mesh.nodes.size()));
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) node(body.X, static_cast<Index>(i)) = mesh.nodes[i];
    const TetBatches table(mesh.tets, body.X);
    Vector mass = Vector::Zero(static_cast<Eigen::Index>(mesh.nodes.size()));
    add_lumped_mass(table, 1000, mass);
    body.system.mass = Mass(mass);
    for (const MaterialEntry& entry : tetrahedra_catalog()) {
        if (entry.name != "neo-hookean") continue;
        Options options = defaults(entry.options);
        options.set("young", 1e5);
        options.set("poisson", 0.3);
        body.system.potentials.push_back(entry.make(options, table));
    }
    const double end = body.X.reshaped(3, mass.size()).row(0).minCoeff();
    for (Index i = 0; fixed && i < mass.size(); ++i) {
        if (node(body.X, i).x() < end + 1e-9) {
            body.system.prescription.add(i, node(body.X, i), std::make_shared<Rest>());
        }
    }
    body.system.prescription.finish(body.X.size());
    return body;
}

/// A state near X, the same in every run.
State disturbed(const Body& body, double size)
{
    State state{.t = 0, .x = body.X, .v = Vector::Zero(body.X.size())};
    for (Eigen::Index i = 0; i < body.X.size(); ++i) {
        const auto k = static_cast<double>(i);
        state.x[i] += size * std::sin(1.7 * k + 0.3);
        state.v[i] += 40 * size * std::cos(2.3 * k);
    }
    body.system.prescription.set_positions(0, state.x);
    body.system.prescription.set_velocities(0, state.v);
    return state;
}

/// omega_j = 2 sqrt(k/m) sin((2 j - 1) pi/(4 n + 2))
TEST(Modes, OfAFixedFreeChainHaveTheFrequenciesOfTheClosedForm)
{
    const double k = 50, m = 0.2;
    for (const auto& [n, count] : {std::pair{8, 8}, {900, 12}}) { // dense, iterated
        Body body = chain(n, k, m);
        EXPECT_EQ(free_unknowns(body.system), n);
        const Modes modes = lowest_modes(body.system, body.X, count);
        ASSERT_EQ(modes.count(), count);
        for (int j = 1; j <= count; ++j) {
            const double omega = 2 * std::sqrt(k / m) * std::sin((2 * j - 1) * std::numbers::pi / (4 * n + 2));
            EXPECT_NEAR(modes.frequency(j - 1) / (omega / (2 * std::numbers::pi)), 1, 1e-8) << n << ": " << j;
            EXPECT_FALSE(modes.unstable(j - 1));
        }
    }
}

TEST(Modes, OfAFreeBodyBeginWithSixThatHaveNoFrequency)
{
    for (const std::array<int, 3> cells : {std::array{2, 1, 1}, {8, 4, 4}}) { // dense, iterated
        Body body = block(cells, false);
        const Modes modes = lowest_modes(body.system, body.X, 9);
        for (int j = 0; j < 6; ++j) {
            EXPECT_LT(std::abs(modes.omega2[j]), 1e-11 * modes.highest) << j;
            EXPECT_EQ(modes.frequency(j), 0) << j;
            EXPECT_FALSE(modes.unstable(j)) << j;
        }
        EXPECT_GT(modes.omega2[6], 1e-4 * modes.highest);
    }
}

TEST(Modes, OfTheIterationAreThoseOfTheDenseSolver)
{
    Body body = block({8, 3, 3}, true);
    const Eigen::Index n = free_unknowns(body.system);
    ASSERT_GT(n, 300);
    const Modes iterated = lowest_modes(body.system, body.X, 15), dense = lowest_modes(body.system, body.X, n);
    for (int j = 0; j < 15; ++j) EXPECT_NEAR(iterated.omega2[j] / dense.omega2[j], 1, 1e-8) << j;
    EXPECT_LE(dense.omega2[n - 1], dense.highest);
}

TEST(Modes, HaveUnitMassAreOrthogonalAndLeavePrescribedUnknownsAtRest)
{
    Body body = block({8, 3, 3}, true);
    const Modes modes = lowest_modes(body.system, body.X, 10);
    Vector M_phi;
    for (Eigen::Index i = 0; i < 10; ++i) {
        body.system.mass.multiply(modes.phi.col(i), M_phi);
        for (Eigen::Index j = 0; j < 10; ++j) {
            EXPECT_NEAR(modes.phi.col(j).dot(M_phi), i == j ? 1 : 0, 1e-9) << i << ", " << j;
        }
        for (const Eigen::Index held : body.system.prescription.unknowns()) EXPECT_EQ(modes.phi(held, i), 0);
    }
}

TEST(Modes, AreTheSameInEveryRun)
{
    Body a = block({8, 4, 4}, false), b = block({8, 4, 4}, false);
    EXPECT_EQ(lowest_modes(a.system, a.X, 9).phi, lowest_modes(b.system, b.X, 9).phi);
}

TEST(Modes, OfACompressedSpringThatMayGiveWayAreUnstable)
{
    Body body;
    body.system.mass = Mass(Vector::Ones(2));
    body.X = (Vector(6) << 0, 0, 0, 0.8, 0, 0).finished();
    body.system.prescription.add(0, Vec3::Zero(), std::make_shared<Rest>());
    body.system.prescription.add(1, Vec3(0.8, 0, 0), std::make_shared<Rest>(), {true, false, false});
    body.system.prescription.finish(6);
    body.system.potentials.push_back(std::make_unique<Springs>(std::vector<Spring>{{0, 1, 10, 1.0}}));
    const Modes modes = lowest_modes(body.system, body.X, 2);
    EXPECT_NEAR(modes.omega2[0], 10 * (1 - 1 / 0.8), 1e-12);
    EXPECT_TRUE(modes.unstable(0));
}

TEST(Modes, AreRefusedWhereThereAreFewer)
{
    Body body = chain(3, 1, 1);
    EXPECT_THROW(lowest_modes(body.system, body.X, 4), InputError);
    EXPECT_THROW(lowest_modes(body.system, body.X, 0), InputError);
}

TEST(ModalEnergies, OfAllModesSumToTheLinearEnergy)
{
    for (const bool fixed : {true, false}) {
        Body body = block({2, 1, 2}, fixed);
        const Modes modes = lowest_modes(body.system, body.X, free_unknowns(body.system));
        const State state = disturbed(body, 1e-3);
        Vector energies;
        ModalEnergies(body.system.mass, modes, body.X, ModalEnergies::Frame::fixed).of(state, energies);

        BlockMatrix K(body.system.pattern());
        Assembly sink{.hessian = &K, .projected = false};
        body.system.potentials[0]->add(body.X, 0, sink);
        K.mirror();
        const Vector u = state.x - body.X;
        Vector Ku;
        K.multiply(u, Ku);
        const double linear = 0.5 * body.system.mass.inner(state.v, state.v) + 0.5 * u.dot(Ku);
        EXPECT_NEAR(energies.sum() / linear, 1, 1e-10);
        EXPECT_GE(energies.minCoeff(), -1e-12 * linear);
    }
}

TEST(ModalEnergies, OfOneModeStayInIt)
{
    Body body = chain(6, 50, 0.2);
    const Modes modes = lowest_modes(body.system, body.X, 6);
    LabProblem problem{.dynamics = nullptr, .start = {.t = 0, .x = body.X + 0.01 * modes.phi.col(2), .v = 0 * body.X}};
    const Mass mass = body.system.mass;
    problem.dynamics = std::make_unique<CpuDynamics>(std::move(body.system), exact_solves());
    SpectrumRecord record(ModalEnergies(mass, modes, body.X, ModalEnergies::Frame::fixed));
    const RunResult result
        = run_problem(problem, {"implicit-midpoint"}, 0.01, 1, [&](const StepRecord& step) { record.step(step); });
    ASSERT_TRUE(result.finished);
    ASSERT_EQ(record.times().size(), 101u);
    const Vector mean = record.mean();
    const double all = 0.5 * 1e-4 * modes.omega2[2];
    for (Eigen::Index j = 0; j < 6; ++j) EXPECT_NEAR(mean[j], j == 2 ? all : 0, 1e-9 * all) << j;
    EXPECT_NEAR(record.energies().back()[2], all, 1e-9 * all);
}

TEST(ModalEnergies, OfABodyThatFliesAndSpinsAreThoseOfItsDeformationAlone)
{
    Body body = block({2, 1, 2}, false);
    const Modes modes = lowest_modes(body.system, body.X, free_unknowns(body.system));
    ModalEnergies following(body.system.mass, modes, body.X, ModalEnergies::Frame::following);
    const Mat3 R = Eigen::AngleAxisd(2.1, Vec3(1, 2, -0.5).normalized()).toRotationMatrix();
    const Vec3 spin(3, -1, 2), drift(5, 0, 1);
    const State still = disturbed(body, 1e-4);
    State moving = still;
    for (Index i = 0; i < body.system.mass.nodes(); ++i) {
        node(moving.x, i) = R * node(still.x, i) + Vec3(7, 8, 9);
        node(moving.v, i) = R * node(still.v, i) + drift + spin.cross(Vec3(node(moving.x, i)));
    }
    Vector rigid, a, b;
    State only_rigid = moving;
    for (Index i = 0; i < body.system.mass.nodes(); ++i) {
        node(only_rigid.x, i) = R * node(body.X, i) + Vec3(7, 8, 9);
        node(only_rigid.v, i) = drift + spin.cross(Vec3(node(only_rigid.x, i)));
    }
    following.of(only_rigid, rigid);
    following.of(still, a);
    following.of(moving, b);
    EXPECT_LT(rigid.cwiseAbs().maxCoeff(), 1e-12 * a.sum());
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-9 * a.sum());
    EXPECT_GT(a.sum(), 0);
}

} // namespace
} // namespace rubato
