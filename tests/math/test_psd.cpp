#include "math/psd.hpp"
#include "math/random_matrices.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <algorithm>

namespace rubato {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

Mat3 symmetric(const Mat3& A) { return 0.5 * (A + A.transpose()); }
Mat3 with_eigenvalues(RandomMatrices& random, const Vec3& values)
{
    const Mat3 Q = random.rotation();
    return symmetric(Q * values.asDiagonal() * Q.transpose());
}
Mat3 numerically_projected(const Mat3& A)
{
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(A);
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

TEST(SymmetricEigen3, ReconstructsSymmetricMatrices)
{
    RandomMatrices random(1);
    std::vector<Mat3> cases{Mat3::Zero(), Mat3::Identity(), Mat3::Ones(), -Mat3::Ones()};
    for (int i = 0; i < 1000; ++i) {
        cases.push_back(symmetric(random.matrix()));
        const double a = random.normal(), b = random.normal();
        cases.push_back(with_eigenvalues(random, {a, a, b}));
        cases.push_back(with_eigenvalues(random, {a, a * (1 + 1e-12), a}));
        cases.push_back(with_eigenvalues(random, {a, 0, 0}));
        cases.push_back(with_eigenvalues(random, {a, -a, 1e-9}));
        cases.push_back(1e150 * symmetric(random.matrix()));
        cases.push_back(1e-150 * symmetric(random.matrix()));
    }
    for (const Mat3& A : cases) {
        const SymmetricEigen3 eigen = symmetric_eigen3(A);
        const Mat3& Q = eigen.vectors;
        EXPECT_LE((Q.transpose() * Q - Mat3::Identity()).norm(), 20 * eps);
        const Mat3 back = Q * eigen.values.asDiagonal() * Q.transpose();
        EXPECT_LE((back - A).cwiseAbs().maxCoeff(), 20 * eps * A.cwiseAbs().maxCoeff()) << A;
    }
}

TEST(SymmetricEigen3, FindsSmallEigenvaluesOfScaledMatricesToTheirOwnPrecision)
{
    RandomMatrices random(2);
    for (int i = 0; i < 200; ++i) {
        // D A D with A well conditioned: every eigenvalue is determined to full relative precision
        const Mat3 A = with_eigenvalues(random, {1, 2, 3});
        const Vec3 D(1e8, 1, 1e-4);
        const Mat3 scaled = symmetric(D.asDiagonal() * A * D.asDiagonal());
        Vec3 values = symmetric_eigen3(scaled).values;
        std::sort(values.data(), values.data() + 3);
        const double determinant = 6 * 1e16 * 1e-8;
        EXPECT_NEAR(values.prod() / determinant, 1, 1e-12);
        // the smallest is the inverse of the largest of the inverse, to leading order the inverse's last entry
        const Mat3 inverse_of_A = A.ldlt().solve(Mat3::Identity());
        EXPECT_NEAR(values[0] * inverse_of_A(2, 2) * 1e8, 1, 1e-7);
    }
}

TEST(SymmetricEigen3, TerminatesForNan)
{
    Mat3 A = Mat3::Ones();
    A(1, 0) = std::numeric_limits<double>::quiet_NaN();
    A(0, 0) = A(1, 0);
    const SymmetricEigen3 eigen = symmetric_eigen3(A);
    EXPECT_FALSE(eigen.values.allFinite());
}

TEST(NearestPsd, EqualsTheClampedEigenDecomposition)
{
    RandomMatrices random(3);
    for (int i = 0; i < 2000; ++i) {
        const double a = random.normal(), b = random.normal();
        for (const Mat3& A : {symmetric(random.matrix()), with_eigenvalues(random, {a, a, b}),
                 with_eigenvalues(random, {a, 0, 0}), with_eigenvalues(random, {a, 1e6 * b, 1e-6})})
            EXPECT_LE((nearest_psd(A) - numerically_projected(A)).norm(), 40 * eps * A.norm()) << A;
    }
}

TEST(NearestPsd, HasNoNegativeEigenvalueBeyondRoundOff)
{
    RandomMatrices random(4);
    for (int i = 0; i < 1000; ++i) {
        const Mat3 A = with_eigenvalues(random, {random.normal(), 1e4 * random.normal(), -1e8 * random.uniform(0, 1)});
        const Mat3 B = nearest_psd(A);
        const Eigen::SelfAdjointEigenSolver<Mat3> eigen(B);
        EXPECT_GE(eigen.eigenvalues()[0], -20 * eps * B.norm()) << A;
    }
}

TEST(NearestPsd, LeavesPositiveDefiniteMatricesUntouchedAndRemovesNegativeOnes)
{
    RandomMatrices random(5);
    for (int i = 0; i < 200; ++i) {
        const Mat3 A = with_eigenvalues(random, {random.uniform(0.1, 1), random.uniform(0.1, 10), 1e5});
        EXPECT_EQ(nearest_psd(A), A);
        EXPECT_LE(nearest_psd(-A).norm(), 40 * eps * A.norm());
    }
}

TEST(IsPositiveDefinite, AgreesWithTheSmallestEigenvalue)
{
    RandomMatrices random(6);
    int positive = 0;
    for (int i = 0; i < 2000; ++i) {
        const Mat3 A = symmetric(random.matrix()) + Mat3::Identity();
        const double smallest = Eigen::SelfAdjointEigenSolver<Mat3>(A).eigenvalues()[0];
        if (std::abs(smallest) < 1e-10) continue;
        EXPECT_EQ(is_positive_definite(A), smallest > 0);
        positive += smallest > 0;
    }
    EXPECT_GT(positive, 200);
    EXPECT_LT(positive, 1800);
}

} // namespace
} // namespace rubato
