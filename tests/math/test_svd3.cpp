#include "math/polar3.hpp"
#include "math/random_matrices.hpp"
#include "math/svd3.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <gtest/gtest.h>

namespace rubato {
namespace {

using LongMat3 = Eigen::Matrix<long double, 3, 3>;
using LongVec3 = Eigen::Matrix<long double, 3, 1>;

constexpr double unit_round = std::numeric_limits<double>::epsilon();

/// What the header promises for any finite matrix.
void expect_decomposition(const Mat3& F)
{
    const Svd3 svd = svd3(F);
    const double size = F.cwiseAbs().maxCoeff();
    ASSERT_TRUE(svd.U.allFinite() && svd.V.allFinite() && svd.sigma.allFinite()) << F;
    EXPECT_LE((svd.U.transpose() * svd.U - Mat3::Identity()).cwiseAbs().maxCoeff(), 20 * unit_round) << F;
    EXPECT_LE((svd.V.transpose() * svd.V - Mat3::Identity()).cwiseAbs().maxCoeff(), 20 * unit_round) << F;
    EXPECT_NEAR(svd.U.determinant(), 1, 20 * unit_round) << F;
    EXPECT_NEAR(svd.V.determinant(), 1, 20 * unit_round) << F;
    EXPECT_GE(svd.sigma[0], svd.sigma[1]) << F;
    EXPECT_GE(svd.sigma[1], std::abs(svd.sigma[2])) << F;
    if (size > 0) {
        const Mat3 back = svd.U * (svd.sigma / size).asDiagonal() * svd.V.transpose();
        EXPECT_LE((back - F / size).cwiseAbs().maxCoeff(), 40 * unit_round) << F;
    }
}

TEST(Svd3, ReconstructsRandomMatrices)
{
    RandomMatrices random(1);
    for (int i = 0; i < 2000; ++i) expect_decomposition(random.matrix());
}

TEST(Svd3, SingularValuesEqualThoseOfALongDoubleDecomposition)
{
    RandomMatrices random(2);
    for (int i = 0; i < 200; ++i) {
        const Mat3 F = random.matrix();
        const Eigen::JacobiSVD<LongMat3> reference(F.cast<long double>());
        LongVec3 expected = reference.singularValues();
        if (F.determinant() < 0) expected[2] = -expected[2];
        const Vec3 error = (svd3(F).sigma.cast<long double>() - expected).cast<double>();
        EXPECT_LE(error.cwiseAbs().maxCoeff(), 10 * unit_round * static_cast<double>(expected[0]));
    }
}

TEST(Svd3, LastSingularValueCarriesTheSignOfTheDeterminant)
{
    RandomMatrices random(3);
    for (int i = 0; i < 500; ++i) {
        const Mat3 F = random.matrix();
        EXPECT_EQ(svd3(F).sigma[2] > 0, F.determinant() > 0);
    }
}

TEST(Svd3, SmallLastSingularValueIsAccurateRelativeToItself)
{
    RandomMatrices random(4);
    for (const double small : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
        for (int i = 0; i < 100; ++i) {
            const double sign = i % 2 == 0 ? 1 : -1;
            const Mat3 F = random.with_singular_values({random.uniform(1, 2), random.uniform(0.5, 1), sign * small});
            expect_decomposition(F);
            // det F/(sigma_0 sigma_1), all of it in long double
            const Eigen::JacobiSVD<LongMat3> reference(F.cast<long double>());
            const LongVec3 s = reference.singularValues();
            const long double expected = F.cast<long double>().determinant() / (s[0] * s[1]);
            const double tolerance = 50 * unit_round + 1e-18 / small; // the oracle itself loses digits
            EXPECT_LE(std::abs(static_cast<double>(svd3(F).sigma[2] / expected - 1)), tolerance) << small;
        }
    }
}

TEST(Svd3, ReconstructsMatricesWithEqualSingularValues)
{
    RandomMatrices random(5);
    for (int i = 0; i < 300; ++i) {
        const double a = random.uniform(0.1, 3), b = random.uniform(0.1, 3);
        for (const Vec3& sigma : {Vec3(a, a, a), Vec3(a, a, b), Vec3(a, b, -a), Vec3(a, a, -a), Vec3(a, a, a + 1e-9),
                 Vec3(a, a * (1 + 1e-15), a)})
            expect_decomposition(random.with_singular_values(sigma));
    }
}

TEST(Svd3, RotationsHaveUnitSingularValues)
{
    RandomMatrices random(6);
    for (int i = 0; i < 300; ++i) {
        const Mat3 R = random.rotation();
        expect_decomposition(R);
        EXPECT_LE((svd3(R).sigma - Vec3::Ones()).cwiseAbs().maxCoeff(), 10 * unit_round);
    }
    EXPECT_EQ(svd3(Mat3::Identity()).sigma, Vec3::Ones());
    EXPECT_EQ(svd3(Mat3(-Mat3::Identity())).sigma, Vec3(1, 1, -1));
}

TEST(Svd3, HandlesEveryRank)
{
    RandomMatrices random(7);
    expect_decomposition(Mat3::Zero());
    EXPECT_EQ(svd3(Mat3::Zero()).sigma, Vec3::Zero());
    for (int i = 0; i < 300; ++i) {
        const Mat3 A = random.matrix();
        const Mat3 rank1 = A.col(0) * A.col(1).transpose();
        const Mat3 rank2 = rank1 + A.col(2) * A.row(0);
        expect_decomposition(rank1);
        expect_decomposition(rank2);
        EXPECT_LE(svd3(rank1).sigma[1], 10 * unit_round * rank1.norm());
        EXPECT_LE(std::abs(svd3(rank2).sigma[2]), 10 * unit_round * rank2.norm());
        Mat3 exact = Mat3::Zero();
        exact(i % 3, (i / 3) % 3) = random.normal();
        expect_decomposition(exact);
        EXPECT_EQ(svd3(exact).sigma[1], 0);
        exact.row((i + 1) % 3) = A.row(0);
        expect_decomposition(exact);
        EXPECT_EQ(svd3(exact).sigma[2], 0);
    }
    expect_decomposition(Mat3::Ones());
}

TEST(Svd3, ScalesWithTheMatrixFromTheSmallestToTheLargestNumbers)
{
    RandomMatrices random(8);
    for (int i = 0; i < 100; ++i) {
        const Mat3 F = random.matrix();
        const Vec3 sigma = svd3(F).sigma;
        for (const double scale : {0x1p-1000, 0x1p-600, 0x1p-150, 0x1p-60, 0x1p60, 0x1p150, 0x1p600, 0x1p1015}) {
            expect_decomposition(F * scale);
            EXPECT_LE((svd3(F * scale).sigma / scale - sigma).norm(), 10 * unit_round * sigma[0]) << scale;
        }
    }
    expect_decomposition(Mat3::Constant(std::numeric_limits<double>::denorm_min()));
}

TEST(Svd3, HandlesBadlyScaledColumnsAndRows)
{
    RandomMatrices random(9);
    const double scales[] = {1, 1e-5, 1e-12, 1e-30, 1e-80, 1e-160, 1e-300};
    for (const double a : scales) {
        for (const double b : scales) {
            for (int i = 0; i < 20; ++i) {
                const Mat3 A = random.matrix();
                expect_decomposition(A * Vec3(1, a, b).asDiagonal());
                expect_decomposition(Vec3(a, b, 1).asDiagonal() * A);
                expect_decomposition(Vec3(a, 1, b).asDiagonal() * A * Vec3(b, a, 1).asDiagonal());
            }
        }
    }
}

TEST(Svd3, TerminatesWithNanForEntriesThatAreNotFinite)
{
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        for (int i = 0; i < 9; ++i) {
            Mat3 F = Mat3::Identity();
            F.data()[i] = bad;
            EXPECT_TRUE(svd3(F).sigma.array().isNaN().all());
        }
    }
}

TEST(Determinant3, IsAccurateRelativeToItselfForNearlySingularMatrices)
{
    // Rows (n, n+1, n+2) etc. with one entry raised by 1: the determinant is a small integer, the products near 1e24.
    const double n = 1e8;
    Mat3 F;
    F << n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 9;
    EXPECT_EQ(determinant3(F), -3);
    RandomMatrices random(10);
    for (int i = 0; i < 200; ++i) {
        const Mat3 A = random.with_singular_values({1, 1, 1e-7});
        const long double expected = A.cast<long double>().determinant();
        EXPECT_LE(std::abs(static_cast<double>(determinant3(A) / expected - 1)), 1e-11);
    }
}

TEST(Polar3, GivesTheNearestRotationAndASymmetricFactor)
{
    RandomMatrices random(11);
    for (int i = 0; i < 300; ++i) {
        const Mat3 F = random.matrix();
        const Polar3 polar = polar3(F);
        EXPECT_LE((polar.R * polar.S - F).norm(), 40 * unit_round * F.norm());
        EXPECT_LE((polar.S - polar.S.transpose()).norm(), 10 * unit_round * F.norm());
        EXPECT_LE((polar.R.transpose() * polar.R - Mat3::Identity()).norm(), 40 * unit_round);
        EXPECT_NEAR(polar.R.determinant(), 1, 40 * unit_round);
        EXPECT_GT(polar.S.trace(), 0);
        // no other rotation is nearer
        for (int j = 0; j < 20; ++j)
            EXPECT_LE((F - polar.R).norm(), (F - random.rotation()).norm() + 10 * unit_round * F.norm());
        const Eigen::AngleAxisd turn(1e-3, Vec3(random.normal(), random.normal(), random.normal()).normalized());
        EXPECT_LE((F - polar.R).norm(), (F - polar.R * turn.toRotationMatrix()).norm() + 10 * unit_round * F.norm());
    }
}

} // namespace
} // namespace rubato
