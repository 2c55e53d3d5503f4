#include "potentials/motions.hpp"
#include "potentials/random_state.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/region_solver.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace rubato {
namespace {

/// A chain of `nodes` blocks: random symmetric, shifted by `shift` times the identity.
BlockMatrix chain(Index nodes, double shift)
{
    BlockPattern pattern(nodes);
    for (Index i = 1; i < nodes; ++i) pattern.add(i, i - 1);
    BlockMatrix A(pattern);
    const Vector noise = random_vector(18 * Eigen::Index{nodes}, 1, 11);
    for (Index i = 0; i < nodes; ++i) {
        const Mat3 R = Eigen::Map<const Mat3>(noise.data() + 18 * i);
        A.block(A.slot(i, i)) = R + R.transpose() + shift * Mat3::Identity();
        if (i == 0) continue;
        const Mat3 S = Eigen::Map<const Mat3>(noise.data() + 18 * i + 9);
        A.block(A.slot(i, i - 1)) = S;
        A.block(A.slot(i - 1, i)) = S.transpose();
    }
    return A;
}

Eigen::MatrixXd dense(const BlockMatrix& A)
{
    Eigen::MatrixXd D(3 * A.rows(), 3 * A.rows());
    Vector column;
    for (Eigen::Index j = 0; j < D.cols(); ++j) {
        A.multiply(Vector::Unit(D.cols(), j), column);
        D.col(j) = column;
    }
    return D;
}

/// Makes the solution of D p = rhs zero at one unknown.
void hold(Eigen::Index unknown, Eigen::MatrixXd& D, Vector& rhs)
{
    D.row(unknown).setZero();
    D.col(unknown).setZero();
    D(unknown, unknown) = 1;
    rhs[unknown] = 0;
}

Prescription some_fixed(Index nodes)
{
    Prescription p;
    const auto rest = std::make_shared<Rest>();
    p.add(0, Vec3::Zero(), rest);
    p.add(4, Vec3::Zero(), rest, {false, true, false});
    p.finish(3 * Eigen::Index{nodes});
    return p;
}

TEST(LinearSolvers, SolveOnTheFreeUnknownsOnly)
{
    const Index nodes = 9;
    const BlockMatrix A = chain(nodes, 8);
    const Prescription fixed = some_fixed(nodes);
    const Vector b = random_vector(3 * nodes, 1, 12);

    Eigen::MatrixXd D = dense(A);
    Vector rhs = b;
    for (const Eigen::Index i : fixed.unknowns()) {
        hold(i, D, rhs);
    }
    const Vector expected = D.llt().solve(rhs);
    for (const LinearMethod method : {LinearMethod::cholesky, LinearMethod::conjugate_gradients}) {
        const auto solver = make_linear_solver({.method = method}, false);
        Vector p;
        for (int repeat = 0; repeat < 2; ++repeat) { // the second solve reuses the analysis
            const LinearReport report = solver->solve(A, fixed, b, {1e-14}, p);
            EXPECT_EQ(report.status, LinearStatus::solved);
            EXPECT_LE((p - expected).norm(), 1e-11 * expected.norm());
        }
    }
}

/// Nodes 2, 3, 4 and 7 of nine: a piece of the chain with a fixed unknown, and a node on its own.
Region piece()
{
    Region region(9);
    for (const Index i : {7, 3, 2, 4, 3}) region.add(i);
    region.sort();
    return region;
}

/// A matrix that exists as products only, and counts them.
class ProductsOnly final : public Operator {
public:
    explicit ProductsOnly(const BlockMatrix& A)
        : A_(A)
    {
    }
    Index rows() const override { return A_.rows(); }
    void multiply(const Vector& p, Vector& out) const override
    {
        ++products;
        A_.multiply(p, out);
    }
    Mat3 diagonal(Index i) const override { return A_.block(A_.slot(i, i)); }
    double work() const override { return 1; }
    mutable int products = 0;

private:
    const BlockMatrix& A_;
};

TEST(LinearSolvers, ConjugateGradientsNeedProductsAndTheDiagonalOnly)
{
    const BlockMatrix A = chain(40, 6);
    const Prescription held = some_fixed(40);
    const Vector b = random_vector(120, 1, 3);
    Eigen::MatrixXd D = dense(A);
    Vector rhs = b;
    for (const Eigen::Index i : held.unknowns()) hold(i, D, rhs);
    const Vector expected = D.ldlt().solve(rhs);

    const ProductsOnly products(A);
    const auto iterative = make_linear_solver({.method = LinearMethod::conjugate_gradients}, false);
    Vector p, of_stored;
    const LinearReport report = iterative->solve(products, held, b, {1e-12}, p);
    EXPECT_EQ(report.status, LinearStatus::solved);
    EXPECT_EQ(products.products, report.iterations);
    EXPECT_LE((p - expected).norm(), 1e-9 * expected.norm());
    iterative->solve(A, held, b, {1e-12}, of_stored);
    EXPECT_EQ(p, of_stored);

    Vector q;
    EXPECT_EQ(make_linear_solver({}, false)->solve(products, held, b, {1e-12}, q).status, LinearStatus::failed);
    EXPECT_EQ(q, Vector::Zero(120)) << "there is nothing to factorise";
}

TEST(RegionSolver, SolvesAsIfAllOtherNodesWereFixed)
{
    const BlockMatrix A = chain(9, 8);
    const Prescription fixed = some_fixed(9);
    const Region region = piece();
    ASSERT_EQ(region.nodes(), (std::vector<Index>{2, 3, 4, 7}));
    const Vector b = random_vector(3 * 9, 1, 12);
    Eigen::MatrixXd D = dense(A);
    Vector rhs = b;
    for (Index i = 0; i < 9; ++i) {
        for (Index k = 3 * i; k < 3 * i + 3; ++k) {
            if (!region.has(i) || fixed.holds(k)) hold(k, D, rhs);
        }
    }
    const Vector expected = D.llt().solve(rhs);
    for (const LinearMethod method : {LinearMethod::cholesky, LinearMethod::conjugate_gradients}) {
        RegionSolver solver(make_linear_solver({.method = method}, false));
        Vector p;
        EXPECT_EQ(solver.solve(region, A, fixed, b, {1e-14}, p).status, LinearStatus::solved);
        EXPECT_LE((p - expected).norm(), 1e-11 * expected.norm());
    }
}

TEST(RegionSolver, TellsWhereCurvatureIsNegativeByTheNumbersOfTheWholeSystem)
{
    BlockMatrix A = chain(9, 8);
    A.block(A.slot(4, 4)) = -20 * Mat3::Identity();
    RegionSolver solver(make_linear_solver({.method = LinearMethod::conjugate_gradients}, false));
    Vector p;
    ASSERT_EQ(solver.solve(piece(), A, Prescription(), Vector::Ones(27), {1e-6}, p).status, LinearStatus::indefinite);
    const Vector& curvature = *solver.negative_curvature();
    Index worst = 0;
    EXPECT_LT(curvature.minCoeff(&worst), 0);
    EXPECT_EQ(worst, 4);
    for (const Index i : {0, 1, 5, 6, 8}) EXPECT_EQ(curvature[i], 0);
}

TEST(BlockMatrix, ForgetsRowsAndKeepsOthers)
{
    BlockMatrix A = chain(9, 8);
    const Eigen::MatrixXd before = dense(A);
    A.set_rows_zero({2, 8});
    Eigen::MatrixXd expected = before;
    for (const Index i : {2, 8}) expected.middleRows<3>(3 * i).setZero();
    EXPECT_EQ(dense(A), expected);
}

TEST(LinearSolvers, CholeskyReportsAnIndefiniteMatrixAndTheSignedFactorisationSolvesIt)
{
    const Index nodes = 9;
    const BlockMatrix A = chain(nodes, -0.3);
    Prescription none;
    none.finish(3 * nodes);
    const Vector b = random_vector(3 * nodes, 1, 13);
    Vector p;
    EXPECT_EQ(make_linear_solver({}, false)->solve(A, none, b, {0}, p).status, LinearStatus::failed);
    EXPECT_EQ(make_linear_solver({}, true)->solve(A, none, b, {0}, p).status, LinearStatus::solved);
    EXPECT_LE((dense(A) * p - b).norm(), 1e-9 * b.norm());
}

TEST(LinearSolvers, ConjugateGradientsLeaveEarlyOnNegativeCurvatureWithADescentDirection)
{
    const Index nodes = 30;
    Prescription none;
    none.finish(3 * nodes);
    for (const double shift : {-5.0, -0.3, 1.0}) {
        const BlockMatrix A = chain(nodes, shift);
        const Vector b = random_vector(3 * nodes, 1, 14); // b = -g
        Vector p;
        const auto solver = make_linear_solver({.method = LinearMethod::conjugate_gradients}, false);
        const LinearReport report = solver->solve(A, none, b, {1e-10}, p);
        EXPECT_EQ(report.status, LinearStatus::indefinite) << shift;
        EXPECT_GT(b.dot(p), 0) << shift;
    }
}

TEST(LinearSolvers, LooserToleranceTakesFewerIterations)
{
    const Index nodes = 200;
    const BlockMatrix A = chain(nodes, 6);
    Prescription none;
    none.finish(3 * nodes);
    const Vector b = random_vector(3 * nodes, 1, 15);
    const auto solver = make_linear_solver({.method = LinearMethod::conjugate_gradients}, false);
    Vector p;
    const int rough = solver->solve(A, none, b, {0.5}, p).iterations;
    const int fine = solver->solve(A, none, b, {1e-10}, p).iterations;
    EXPECT_GE(rough, 1);
    EXPECT_LT(rough, fine);
}

} // namespace
} // namespace rubato
