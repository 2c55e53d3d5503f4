#include "materials/all.hpp"
#include "materials/oracle.hpp"
#include "math/random_matrices.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>

/// What every material must fulfil. The tests run over the catalog; a new material is not named here.
namespace rubato {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const Lame lames[] = {{1, 0}, {1, 2}, {0.7, 40}, {3.5e5, 1.1e6}, Lame::from_young_poisson(1e6, 0.49)};

/// The stiffness of these energies does not exist where two singular values cancel: the polar rotation jumps there.
template <class M>
constexpr bool has_kink = std::is_same_v<M, Arap> || std::is_same_v<M, Corotated> || std::is_same_v<M, FixedCorotated>;

template <class M>
bool is_smooth_at(const Vec3& sigma)
{
    if (M::is_barrier && sigma.prod() <= 0) return false;
    return !has_kink<M> || sigma[1] + sigma[2] > 0.05;
}

struct Sample {
    Mat3 F;
    std::string kind;
};

/// Deformation gradients of every kind at which M is smooth.
template <class M>
std::vector<Sample> samples(int count_per_kind)
{
    RandomMatrices random(42);
    std::vector<Sample> out;
    const auto add = [&](const Vec3& sigma, const std::string& kind) {
        Vec3 sorted = sigma.cwiseAbs();
        std::sort(sorted.data(), sorted.data() + 3, std::greater<>());
        if (sigma.prod() < 0) sorted[2] = -sorted[2];
        if (is_smooth_at<M>(sorted)) out.push_back({random.with_singular_values(sorted), kind});
    };
    const auto any = [&] { return random.uniform(0.2, 2.5); };
    for (int i = 0; i < count_per_kind; ++i) {
        add({any(), any(), any()}, "random");
        add(Vec3(1, 1, 1) + 1e-3 * Vec3(random.normal(), random.normal(), random.normal()), "near rest");
        add({any(), any(), -random.uniform(0.05, 1)}, "inverted");
        const double a = any(), b = any();
        add({a, a, b}, "two equal");
        add({a, a * (1 + 1e-10), b}, "two nearly equal");
        add({a, a, a}, "three equal");
        add({a, a * (1 + 1e-8), a * (1 - 1e-8)}, "three nearly equal");
        add({a, b, -0.5 * std::min(a, b)}, "inverted");
        add({a, a, -0.5 * a}, "inverted, two equal");
        for (const double small : {1e-4, 1e-6, 1e-8}) {
            add({any(), any(), small}, "nearly flat");
            add({any(), any(), -small}, "nearly flat, inverted");
            add({a, a, small}, "nearly flat, two equal");
        }
        add({any(), any(), 0}, "flat");
    }
    const Mat3 R = random.rotation();
    if (is_smooth_at<M>({1, 1, 1})) {
        out.push_back({Mat3::Identity(), "identity"});
        out.push_back({R, "rotation"});
    }
    for (Sample& s : out)
        if (M::is_barrier && s.F.determinant() <= 0) s.F.col(0) *= -1; // a flat one rounded to the other side
    return out;
}

Mat9 numerically_projected(const Mat9& H)
{
    const Eigen::SelfAdjointEigenSolver<Mat9> eigen(H);
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

template <class M>
class Material : public ::testing::Test {
};

struct NamesOfMaterials {
    template <class M>
    static std::string GetName(int)
    {
        std::string name = M::name;
        std::replace(name.begin(), name.end(), '-', '_'); // a hyphen means "except" in a test filter
        return name;
    }
};
TYPED_TEST_SUITE(Material, MaterialsIn<::testing::Types>, NamesOfMaterials);

TYPED_TEST(Material, EnergyStressAndStiffnessEqualAutomaticDerivativesInInvariants)
{
    using M = TypeParam;
    if constexpr (!HasOracle<M>) {
        GTEST_SKIP() << "write the energy of " << M::name << " in invariants in oracle.hpp";
    } else {
        const std::vector<Sample> all = samples<M>(25);
        ASSERT_GT(all.size(), 200u);
        for (const Sample& sample : all) {
            const Invariants invariants(sample.F);
            for (const Lame& lame : lames) {
                const Jet expected = Oracle<M>::Psi({lame.mu, lame.lambda}, invariants);
                Mat3 P;
                Mat9 H;
                const double Psi = density_stress_stiffness(M(lame), sample.F, P, H, false);

                const double floor
                    = 1e-3 * (lame.mu + lame.lambda); // strains below 1e-3 are judged as if they were 1e-3
                const Vec9 g = expected.g.cast<double>();
                const Mat9 h = expected.h.cast<double>();
                const double Psi_error = std::abs(static_cast<double>(Psi - expected.v));
                const double P_error = (Eigen::Map<const Vec9>(P.data()) - g).norm() / std::max(g.norm(), floor);
                const double H_error = (H - h).norm() / h.norm();
                EXPECT_LE(Psi_error, 1e-12 * std::max(static_cast<double>(expected.v), floor)) << sample.kind;
                EXPECT_LE(P_error, 1e-10) << sample.kind << '\n' << sample.F;
                EXPECT_LE(H_error, 1e-9) << sample.kind << '\n' << sample.F;
            }
        }
    }
}

TYPED_TEST(Material, EnergyDoesNotCancelNearRest)
{
    using M = TypeParam;
    if constexpr (HasOracle<M>) {
        RandomMatrices random(3);
        for (int i = 0; i < 50; ++i) {
            const Mat3 F = random.rotation() * (Mat3::Identity() + 1e-5 * random.matrix());
            const Jet expected = Oracle<M>::Psi({1, 2}, Invariants(F));
            EXPECT_NEAR(energy_density(M(Lame{1, 2}), F) / static_cast<double>(expected.v), 1, 1e-7);
        }
    }
}

TYPED_TEST(Material, AllThreeFunctionsReturnTheSame)
{
    using M = TypeParam;
    const M material(lames[1]);
    for (const Sample& sample : samples<M>(5)) {
        Mat3 P, P2;
        Mat9 H;
        const double Psi = energy_density(material, sample.F);
        EXPECT_EQ(density_and_stress(material, sample.F, P), Psi);
        for (const bool projected : {false, true}) {
            EXPECT_EQ(density_stress_stiffness(material, sample.F, P2, H, projected), Psi);
            EXPECT_EQ(P, P2);
        }
    }
}

TYPED_TEST(Material, DerivativesInSingularValuesEqualFiniteDifferences)
{
    using M = TypeParam;
    RandomMatrices random(4);
    const double step = 1e-5;
    for (const Lame& lame : {lames[0], lames[1], lames[2]}) {
        const M material(lame);
        const double scale = lame.mu + lame.lambda;
        for (int i = 0; i < 50; ++i) {
            const Vec3 s(random.uniform(1.2, 2), random.uniform(0.8, 1.1), random.uniform(0.4, 0.7));
            const Mat3 d2 = pairwise_matrix(material.d2Psi(s));
            EXPECT_EQ(d2, d2.transpose());
            for (int k = 0; k < 3; ++k) {
                const Vec3 e = step * Vec3::Unit(k);
                EXPECT_NEAR((material.Psi(Vec3(s + e)) - material.Psi(Vec3(s - e))) / (2 * step), material.dPsi(s)[k],
                    1e-7 * scale);
                const Vec3 column = (material.dPsi(Vec3(s + e)) - material.dPsi(Vec3(s - e))) / (2 * step);
                EXPECT_LE((column - d2.col(k)).norm(), 1e-6 * scale);
            }
        }
    }
}

TYPED_TEST(Material, ModesEqualTheirQuotientsAtDistinctSingularValues)
{
    using M = TypeParam;
    RandomMatrices random(5);
    for (const Lame& lame : lames) {
        const M material(lame);
        for (int i = 0; i < 50; ++i) {
            const Vec3 s(random.uniform(1.2, 2), random.uniform(0.8, 1.1), random.uniform(0.4, 0.7));
            const Vec3 p = material.dPsi(s);
            const int pairs[3][2] = {{1, 2}, {2, 0}, {0, 1}};
            for (int k = 0; k < 3; ++k) {
                const auto [a, b] = pairs[k];
                const double tolerance = 1e-13 * (p.norm() + lame.mu + lame.lambda);
                EXPECT_NEAR(material.symmetric_modes(s)[k], (p[a] - p[b]) / (s[a] - s[b]), 10 * tolerance);
                EXPECT_NEAR(material.antisymmetric_modes(s)[k], (p[a] + p[b]) / (s[a] + s[b]), tolerance);
            }
        }
    }
}

TYPED_TEST(Material, StressAndStiffnessInFEqualFiniteDifferences)
{
    using M = TypeParam;
    RandomMatrices random(6);
    const M material(lames[1]);
    for (int i = 0; i < 20; ++i) {
        const Mat3 F = random.with_singular_values({1.5, 1, 0.6}) + 0.02 * random.matrix();
        Mat3 P, ahead, behind;
        Mat9 H;
        density_stress_stiffness(material, F, P, H, false);
        for (int k = 0; k < 9; ++k) {
            const double step = 1e-5;
            Mat3 plus = F, minus = F;
            plus.data()[k] += step;
            minus.data()[k] -= step;
            const double slope
                = (density_and_stress(material, plus, ahead) - density_and_stress(material, minus, behind))
                / (2 * step);
            EXPECT_NEAR(slope, P.data()[k], 1e-6);
            const Mat3 dP = (ahead - behind) / (2 * step);
            EXPECT_LE((Eigen::Map<const Vec9>(dP.data()) - H.col(k)).norm(), 1e-6 * H.norm());
        }
    }
}

TYPED_TEST(Material, RotationsOnEitherSideChangeNothingButTheFrame)
{
    using M = TypeParam;
    RandomMatrices random(7);
    const M material(lames[1]);
    for (const Sample& sample : samples<M>(5)) {
        if (sample.kind.find("flat") != std::string::npos) continue; // rounding Q F R moves a tiny singular value
        const Mat3 Q = random.rotation(), R = random.rotation();
        Mat3 P, turned;
        const double Psi = density_and_stress(material, sample.F, P);
        const double Psi_turned = density_and_stress(material, Q * sample.F * R, turned);
        EXPECT_NEAR(Psi, Psi_turned, 1e-12 * (1 + Psi)) << sample.kind;
        EXPECT_LE((Q * P * R - turned).norm(), 1e-12 * (1 + P.norm())) << sample.kind;
        // P F^T is symmetric: no torque
        EXPECT_LE((P * sample.F.transpose() - sample.F * P.transpose()).norm(), 1e-12 * (1 + P.norm()));
    }
}

TYPED_TEST(Material, RestHasNoEnergyAndNoStressInEveryOrientation)
{
    using M = TypeParam;
    RandomMatrices random(8);
    for (const Lame& lame : lames) {
        const double scale = lame.mu + lame.lambda;
        for (int i = 0; i < 50; ++i) {
            Mat3 P;
            EXPECT_LE(std::abs(density_and_stress(M(lame), random.rotation(), P)), 1e-28 * scale);
            EXPECT_LE(P.norm(), 1e-14 * scale);
        }
        Mat3 P;
        EXPECT_EQ(density_and_stress(M(lame), Mat3::Identity(), P), 0);
        EXPECT_LE(P.norm(), 1e-15 * scale);
    }
}

TYPED_TEST(Material, SmallStrainsAreThoseOfLinearElasticity)
{
    using M = TypeParam;
    for (const Lame& lame : lames) {
        const double lambda = M::uses_lambda ? lame.lambda : 0;
        Mat9 expected;
        for (int a = 0; a < 9; ++a) {
            for (int b = 0; b < 9; ++b) {
                const int i = a % 3, j = a / 3, k = b % 3, l = b / 3; // dP_ij/dF_kl
                expected(a, b) = lame.mu * ((i == k && j == l) + (i == l && j == k)) + lambda * (i == j && k == l);
            }
        }
        for (const bool projected : {false, true}) {
            Mat3 P;
            Mat9 H;
            density_stress_stiffness(M(lame), Mat3::Identity(), P, H, projected);
            EXPECT_LE((H - expected).norm(), 1e-14 * expected.norm());
        }
    }
}

TYPED_TEST(Material, ProjectedStiffnessEqualsTheNumericallyProjectedOne)
{
    using M = TypeParam;
    int changed = 0;
    for (const Sample& sample : samples<M>(10)) {
        for (const Lame& lame : lames) {
            Mat3 P;
            Mat9 H, projected;
            density_stress_stiffness(M(lame), sample.F, P, H, false);
            density_stress_stiffness(M(lame), sample.F, P, projected, true);
            EXPECT_LE((H - H.transpose()).norm(), 1e-15 * H.norm());
            EXPECT_LE((projected - numerically_projected(H)).norm(), 1e-12 * H.norm()) << sample.kind;
            const Eigen::SelfAdjointEigenSolver<Mat9> eigen(projected);
            EXPECT_GE(eigen.eigenvalues()[0], -1e-10 * projected.norm()) << sample.kind;
            changed += (projected - H).norm() > 1e-3 * H.norm();
        }
    }
    EXPECT_GT(changed, 0) << "no sample was indefinite: the test shows nothing";
}

TYPED_TEST(Material, BarriersAreInfiniteAtInversionAndOthersFiniteEverywhere)
{
    using M = TypeParam;
    RandomMatrices random(9);
    const M material(lames[1]);
    std::vector<Mat3> inverted{Mat3::Zero(), Vec3(1, 0, 0).asDiagonal(), Vec3(1, 1, 0).asDiagonal(),
        Vec3(1, 1, -1).asDiagonal(), Vec3(1, 0.5, -0.5).asDiagonal(), -Mat3::Identity()};
    for (int i = 0; i < 100; ++i)
        inverted.push_back(
            random.with_singular_values({random.uniform(0, 2), random.uniform(0, 2), -random.uniform(1e-9, 2)}));
    for (const Mat3& F : inverted) {
        Mat3 P = Mat3::Constant(7);
        Mat9 H = Mat9::Constant(7);
        for (const bool projected : {false, true}) {
            const double Psi = density_stress_stiffness(material, F, P, H, projected);
            EXPECT_EQ(Psi, energy_density(material, F));
            if (M::is_barrier) {
                EXPECT_EQ(Psi, infinity);
                EXPECT_EQ(density_and_stress(material, F, P), infinity);
                EXPECT_EQ(P, Mat3::Constant(7));
                EXPECT_EQ(H, Mat9::Constant(7));
            } else {
                EXPECT_TRUE(std::isfinite(Psi) && P.allFinite() && H.allFinite()) << F;
            }
        }
        if (!M::is_barrier) {
            const Eigen::SelfAdjointEigenSolver<Mat9> eigen(H);
            EXPECT_GE(eigen.eigenvalues()[0], -1e-10 * H.norm()) << F;
        }
    }
}

TYPED_TEST(Material, BarriersGrowWithoutBoundTowardsFlatness)
{
    using M = TypeParam;
    if constexpr (M::is_barrier) {
        const M material(lames[1]);
        double last = 0;
        for (double s = 0.5; s > 1e-100; s *= 0.5) {
            const double Psi = energy_density(material, Mat3(Vec3(1, s, 1).asDiagonal()));
            EXPECT_GT(Psi, last);
            last = Psi;
        }
        EXPECT_GT(last, 100);
    }
}

TYPED_TEST(Material, NanIsPassedOn)
{
    using M = TypeParam;
    Mat3 F = Mat3::Identity();
    F(1, 2) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(energy_density(M(lames[1]), F)));
}

TEST(MaterialCatalog, ListsEveryNameOnce)
{
    std::set<std::string> names;
    int count = 0;
    for_each_material([&]<class M>() {
        names.insert(M::name);
        EXPECT_FALSE(std::string(M::summary).empty());
        ++count;
    });
    EXPECT_EQ(static_cast<int>(names.size()), count);
    EXPECT_GE(count, 8);
}

TEST(Lame, ReproducesYoungAndPoisson)
{
    const auto [mu, lambda] = Lame::from_young_poisson(2.5e6, 0.3);
    EXPECT_NEAR(mu * (3 * lambda + 2 * mu) / (lambda + mu), 2.5e6, 1e-6);
    EXPECT_NEAR(lambda / (2 * (lambda + mu)), 0.3, 1e-15);
}

} // namespace
} // namespace rubato
