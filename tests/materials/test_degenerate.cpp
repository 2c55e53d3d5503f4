#include "materials/all.hpp"
#include "math/random_matrices.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

/// Fixed corotated elasticity where F has lost rank. Its energy contains -2 mu max_R (R : F) over rotations R. With
/// rank 2 and more the best R is unique; with rank 1 or 0 many are equally good and the energy has a ridge: from there
/// it falls at least as fast in every direction dF as the stress promises, which is what a line search needs.
namespace rubato {
namespace {

const FixedCorotated material{Lame{2, 3}};

struct Evaluation {
    double Psi;
    Mat3 P;
    Mat9 H;
};

Evaluation evaluated(const Mat3& F, bool projected, double lift = 0)
{
    Evaluation e;
    e.Psi = density_stress_stiffness(material, F, e.P, e.H, projected, lift);
    return e;
}

Mat9 numerical_stiffness(const Mat3& F)
{
    constexpr double eps = 1e-6;
    Mat9 H;
    for (int i = 0; i < 9; ++i) {
        Mat3 low = F, high = F, P_low, P_high;
        low.data()[i] -= eps;
        high.data()[i] += eps;
        density_and_stress(material, low, P_low);
        density_and_stress(material, high, P_high);
        Eigen::Map<Mat3>(H.col(i).data()) = (P_high - P_low) / (2 * eps);
    }
    return H;
}

double slope(const Mat3& F, const Mat3& dF)
{
    constexpr double eps = 1e-7;
    return (energy_density(material, F + eps * dF) - energy_density(material, F)) / eps;
}

TEST(FixedCorotatedOfRank2, HasTheStressAndStiffnessThatDifferencesGive)
{
    RandomMatrices random(4);
    for (int i = 0; i < 20; ++i) {
        const Mat3 F = random.with_singular_values({random.uniform(0.5, 2), random.uniform(0.2, 0.5), 0});
        const Evaluation e = evaluated(F, false);
        for (int k = 0; k < 9; ++k) {
            Mat3 dF = Mat3::Zero();
            dF.data()[k] = 1;
            EXPECT_NEAR(slope(F, dF), e.P.data()[k], 1e-4);
        }
        EXPECT_LE((e.H - numerical_stiffness(F)).norm(), 1e-6 * e.H.norm());
    }
}

TEST(FixedCorotatedOfRank0And1, FallsAtLeastAsFastAsTheStressSays)
{
    RandomMatrices random(5);
    std::vector<Mat3> all{Mat3::Zero(), Vec3(1, 0, 0).asDiagonal()};
    for (int i = 0; i < 10; ++i) all.push_back(random.with_singular_values({random.uniform(0.1, 2), 0, 0}));
    for (const Mat3& F : all) {
        const Evaluation e = evaluated(F, false);
        EXPECT_TRUE(std::isfinite(e.Psi) && e.P.allFinite() && e.H.allFinite()) << F;
        int faster = 0;
        for (int k = 0; k < 50; ++k) {
            const Mat3 dF = random.matrix();
            const double promised = e.P.cwiseProduct(dF).sum();
            EXPECT_LE(slope(F, dF), promised + 1e-5) << F;
            faster += slope(F, dF) < promised - 1e-2;
        }
        EXPECT_GT(faster, 0) << "no ridge: the test shows nothing";
        EXPECT_NEAR(slope(F, -e.P), -e.P.squaredNorm(), 1e-5 * e.P.squaredNorm()) << F; // straight downhill: exactly
    }
}

TEST(FixedCorotatedOfRank0, PushesOutwardAlike)
{
    const Evaluation e = evaluated(Mat3::Zero(), true);
    EXPECT_DOUBLE_EQ(e.Psi, 3 * material.mu + material.lambda / 2);
    EXPECT_EQ(e.P, Mat3(-2 * material.mu * Mat3::Identity()));
}

TEST(FixedCorotatedOfAnyRank, HasASemidefiniteProjectionOfItsOwnSize)
{
    RandomMatrices random(6);
    for (const Vec3& sigma : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0.5, 0), Vec3(1, 0.5, -0.5), Vec3(30, 20, -10)}) {
        const Mat3 F = random.with_singular_values(sigma);
        for (const double lift : {0.0, 0.01, 1.0}) {
            const Mat9 H = evaluated(F, true, lift).H;
            const Eigen::SelfAdjointEigenSolver<Mat9> eigen(H);
            EXPECT_GE(eigen.eigenvalues()[0], -1e-12 * H.norm()) << sigma.transpose();
            // The rotation that jumps at a kink has an eigenvalue of -infinity; nothing of it may be left.
            const double natural = 2 * material.mu + material.lambda * std::pow(1 + sigma.cwiseAbs().maxCoeff(), 4);
            EXPECT_LE(H.norm(), 9 * natural) << sigma.transpose();
        }
    }
}

TEST(LiftedStiffness, ReplacesNegativeEigenvaluesByTheirSizeUpToAFractionOfTheLargest)
{
    RandomMatrices random(7);
    int cut = 0, whole = 0;
    for (int i = 0; i < 200; ++i) {
        const Mat3 F = random.matrix();
        if (svd3(F).sigma[1] + svd3(F).sigma[2] < 1e-3) continue;
        const Eigen::SelfAdjointEigenSolver<Mat9> exact(evaluated(F, false).H);
        const double largest = exact.eigenvalues()[8];
        for (const double lift : {0.01, 1.0}) {
            Vec9 expected = exact.eigenvalues();
            for (double& value : expected) {
                if (value >= 0) continue;
                ++(-value > lift * largest ? cut : whole);
                value = std::min(-value, lift * largest);
            }
            const Mat9 H = exact.eigenvectors() * expected.asDiagonal() * exact.eigenvectors().transpose();
            EXPECT_LE((evaluated(F, true, lift).H - H).norm(), 1e-10 * exact.eigenvalues().norm());
        }
    }
    EXPECT_GT(cut, 0);
    EXPECT_GT(whole, 0);
}

TEST(LiftedStiffness, IsSemidefiniteWhereNothingIsPositive)
{
    // At F = 0 every second derivative of St. Venant-Kirchhoff is negative.
    const StVenantKirchhoff soft{Lame{2, 3}};
    const Mat3 F = Mat3::Zero();
    Mat3 P;
    Mat9 exact, lifted;
    density_stress_stiffness(soft, F, P, exact, false);
    density_stress_stiffness(soft, F, P, lifted, true, 0.01);
    EXPECT_LT(Eigen::SelfAdjointEigenSolver<Mat9>(exact).eigenvalues()[8], 0) << "the test shows nothing";
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat9>(lifted).eigenvalues()[0], -1e-12);
}

TEST(LiftedStiffness, IsTheExactOneWhereThatIsDefinite)
{
    const Mat3 F = Vec3(1.1, 1.05, 1.02).asDiagonal();
    EXPECT_EQ(evaluated(F, true, 0.01).H, evaluated(F, false).H);
}

} // namespace
} // namespace rubato
