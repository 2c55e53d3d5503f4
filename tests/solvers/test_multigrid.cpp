#include "base/parallel.hpp"
#include "geometry/generators.hpp"
#include "potentials/motions.hpp"
#include "potentials/random_state.hpp"
#include "potentials/tetrahedra.hpp"
#include "solvers/linear/conjugate_gradients.hpp"
#include "solvers/linear/multigrid.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace rubato {
namespace {

/// M + h^2 K of two bent bars, held at one end, that press on each other where their nodes are close.
struct Bars {
    Vector X;
    BlockMatrix A;
    BlockMatrix without; // the contacts
    Prescription fixed;

    explicit Bars(int cells, double contact = 0, double young = 1e6)
    {
        const Vec3 size(0.4, 0.1, 0.1);
        TetMesh mesh = box_mesh(size, {4 * cells, cells, cells});
        const auto count = static_cast<Index>(mesh.nodes.size());
        std::vector<Tet> tets = mesh.tets;
        for (Tet t : mesh.tets) {
            for (Index& i : t) i += count;
            tets.push_back(t);
        }
        X.resize(2 * 3 * count);
        for (Index i = 0; i < count; ++i) {
            node(X, i) = mesh.nodes[static_cast<std::size_t>(i)];
            node(X, i + count) = mesh.nodes[static_cast<std::size_t>(i)] + Vec3(0.03, size[1] * 1.01, 0.01);
        }
        for (const Index i : mesh.groups.at("x_min")) fixed.add(i, node(X, i), std::make_shared<Rest>());
        fixed.add(count + 3, node(X, count + 3), std::make_shared<Rest>(), {false, true, false});
        fixed.finish(X.size());

        const TetBatches batches(tets, X);
        Vector mass = Vector::Zero(2 * count);
        add_lumped_mass(batches, 1000, mass);
        std::unique_ptr<Potential> elasticity;
        for (const MaterialEntry& entry : tetrahedra_catalog()) {
            if (entry.name != "neo-hookean") continue;
            Options options = defaults(entry.options);
            options.set("young", young);
            elasticity = entry.make(options, batches);
        }
        BlockPattern pattern(2 * count);
        elasticity->pattern(pattern);
        A = BlockMatrix(pattern);

        std::vector<std::pair<Index, Index>> close;
        BlockPattern contacts(2 * count);
        for (Index i = 0; contact > 0 && i < count; ++i) {
            for (Index j = count; j < 2 * count; ++j) {
                if ((node(X, i) - node(X, j)).norm() > 0.6 * size[1] / cells) continue;
                close.emplace_back(i, j);
                contacts.add(i, j);
            }
        }
        without = A;
        if (!close.empty()) A = BlockMatrix::extended(without, contacts);
        const double h2 = 1.0 / 900;
        Vector x = X;
        for (Index i = 0; i < 2 * count; ++i) node(x, i)[1] += 2 * X[3 * i] * X[3 * i];
        for (BlockMatrix* matrix : {&A, &without}) {
            Assembly sink{.hessian = matrix, .hessian_weight = h2};
            elasticity->add(x, 0, sink);
            for (Index i = 0; i < 2 * count; ++i) matrix->block(matrix->slot(i, i)).diagonal().array() += mass[i];
            matrix->mirror();
        }
        for (const auto& [i, j] : close) {
            Mat3 k = Mat3::Zero();
            k(1, 1) = h2 * contact;
            A.block(A.slot(i, i)) += k;
            A.block(A.slot(j, j)) += k;
            A.block(A.slot(i, j)) -= k;
        }
        A.mirror();
    }
};

TEST(Multigrid, IsSymmetricAndPositiveDefiniteAndIgnoresWhatIsPrescribed)
{
    for (const double contact : {0.0, 1e3, 1e7}) {
        Bars bars(2, contact);
        Multigrid multigrid(bars.X);
        multigrid.prepare(bars.A, bars.fixed);
        Eigen::MatrixXd B(bars.X.size(), bars.X.size());
        Vector r, z;
        for (Eigen::Index k = 0; k < bars.X.size(); ++k) {
            r = Vector::Unit(bars.X.size(), k);
            bars.fixed.set_zero(r);
            multigrid.apply(bars.fixed, r, z);
            B.col(k) = z;
        }
        EXPECT_LE((B - B.transpose()).norm(), 1e-4 * B.norm()) << contact; // single precision
        std::vector<Eigen::Index> free;
        for (Eigen::Index k = 0; k < bars.X.size(); ++k) {
            if (!bars.fixed.holds(k)) {
                free.push_back(k);
            } else {
                EXPECT_EQ(B.row(k).norm() + B.col(k).norm(), 0);
            }
        }
        const Eigen::MatrixXd inside = B(free, free);
        const Vector values
            = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (inside + inside.transpose())).eigenvalues();
        EXPECT_GT(values.minCoeff(), 0) << contact;
    }
}

TEST(Multigrid, NeedsAsManyIterationsOnAFineMeshAsOnACoarseOne)
{
    std::vector<int> with, without;
    for (const int cells : {3, 6, 10}) {
        for (const bool multigrid : {true, false}) {
            Bars bars(cells);
            Vector b = random_vector(bars.X.size(), 1, 4), p;
            bars.fixed.set_zero(b);
            ConjugateGradients solver(0, multigrid ? bars.X : Vector());
            const LinearReport report = solver.solve(bars.A, bars.fixed, b, {1e-8}, p);
            ASSERT_EQ(report.status, LinearStatus::solved);
            Vector Ap;
            bars.A.multiply(p, Ap);
            bars.fixed.set_zero(Ap);
            EXPECT_LE((Ap - b).norm(), 1e-5 * b.norm());
            (multigrid ? with : without).push_back(report.iterations);
        }
    }
    EXPECT_LE(with[2], 45);
    EXPECT_LE(with[2], 1.5 * with[0]);
    EXPECT_GE(without[2], 2 * without[0]);
    EXPECT_GE(without[2], 8 * with[2]);
}

TEST(Multigrid, GivesTheSameBitsForAnyNumberOfThreads)
{
    Bars bars(8, 1e5);
    Vector first;
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        Vector b = random_vector(bars.X.size(), 1, 5), p;
        bars.fixed.set_zero(b);
        ConjugateGradients(0, bars.X).solve(bars.A, bars.fixed, b, {1e-6}, p);
        if (threads == 1) first = p;
        EXPECT_EQ(p, first) << threads;
    }
    set_thread_count(0);
}

TEST(Multigrid, FollowsContactsThatComeAndGo)
{
    Bars bars(4, 1e6);
    Multigrid anew(bars.X), used(bars.X);
    Vector r = random_vector(bars.X.size(), 1, 6), z, expected;
    bars.fixed.set_zero(r);
    for (const BlockMatrix* matrix : {&bars.without, &bars.A}) {
        used.prepare(*matrix, bars.fixed);
        used.apply(bars.fixed, r, z);
    }
    anew.prepare(bars.A, bars.fixed);
    anew.apply(bars.fixed, r, expected);
    EXPECT_EQ(z, expected);
}

} // namespace
} // namespace rubato
