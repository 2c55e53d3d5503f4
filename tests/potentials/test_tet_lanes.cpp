#include "math/random_matrices.hpp"
#include "potentials/tet_lanes.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cstring>

/// The vector code against the code for single elements, which is checked against mathematics in tests/materials.
namespace rubato {
namespace {

template <class M>
class TetLanesOf : public ::testing::Test {
};
TYPED_TEST_SUITE(TetLanesOf, MaterialsIn<::testing::Types>);

/// Eight tetrahedra with given deformation gradients: rest shapes at random.
struct Eight {
    Vector x = Vector::Zero(3 * 4 * tets_at_once);
    Index nodes[4][tets_at_once];
    alignas(64) double Dm_inv[9][tets_at_once];
    alignas(64) double volume[tets_at_once];
    Mat3 B[tets_at_once];

    Eight(const std::vector<Mat3>& F, RandomMatrices& random)
    {
        for (int l = 0; l < tets_at_once; ++l) {
            const Mat3 Dm = 0.1 * random.with_singular_values({random.uniform(0.5, 1), random.uniform(0.5, 1), 0.4});
            B[l] = Dm.inverse();
            volume[l] = std::abs(Dm.determinant()) / 6;
            const Mat3 edges = F[static_cast<std::size_t>(l)] * Dm;
            for (int a = 0; a < 4; ++a) {
                nodes[a][l] = 4 * l + a;
                if (a > 0) node(x, 4 * l + a) = edges.col(a - 1);
            }
            for (int k = 0; k < 9; ++k) Dm_inv[k][l] = B[l](k / 3, k % 3);
        }
    }
    TetLanesIn in(bool hessian, unsigned projected, double weight = 1) const
    {
        return {x.data(), nodes, Dm_inv, volume, hessian, projected, weight};
    }
};

std::vector<Mat3> random_gradients(RandomMatrices& random, double least, double most)
{
    std::vector<Mat3> F;
    for (int l = 0; l < tets_at_once; ++l) {
        F.push_back(random.with_singular_values(
            {random.uniform(least, most), random.uniform(least, most), random.uniform(least, most)}));
    }
    return F;
}

/// The ten blocks of element l by the code for single elements.
template <class M>
Eigen::Matrix<double, 9, 10> expected_blocks(
    const M& material, const Eight& eight, int l, const Mat3& F, bool projected)
{
    Mat3 P;
    Mat9 H;
    density_stress_stiffness(material, F, P, H, projected);
    Eigen::Matrix<double, 4, 3> b;
    b.bottomRows<3>() = eight.B[l];
    b.row(0) = -eight.B[l].colwise().sum();
    Eigen::Matrix<double, 9, 10> out;
    int block = 0;
    for (int i = 0; i < 4; ++i) {
        for (int j = i; j < 4; ++j, ++block) {
            Mat3 K = Mat3::Zero();
            for (int k = 0; k < 3; ++k) {
                for (int m = 0; m < 3; ++m) K += eight.volume[l] * b(i, k) * b(j, m) * H.block<3, 3>(3 * k, 3 * m);
            }
            out.col(block) = Eigen::Map<Vec9>(K.data());
        }
    }
    return out;
}

/// How many lanes the vector code did; all of them must agree with the code for single elements.
template <class M>
int agreeing_lanes(const M& material, const Eight& eight, unsigned projected)
{
    int usual = 0;
    TetLanesOut out{};
    const double weight = 0.25; // of the Hessian alone
    tet_lanes<M>().gradient(material, eight.in(true, projected, weight), out);
    for (int l = 0; l < tets_at_once; ++l) {
        if ((out.unusual >> l & 1) != 0) continue;
        ++usual;
        Mat3 Ds;
        for (int k = 0; k < 3; ++k) Ds.col(k) = node(eight.x, 4 * l + k + 1);
        const Mat3 gradient = Ds * eight.B[l];
        Mat3 P;
        const double Psi = density_and_stress(material, gradient, P);
        const double scale = eight.volume[l] * 5e5;
        EXPECT_NEAR(out.value[l], eight.volume[l] * Psi, 1e-13 * scale + 1e-11 * eight.volume[l] * std::abs(Psi));
        const Mat3 forces = eight.volume[l] * P * eight.B[l].transpose();
        const Eigen::Map<const Mat3> found(out.forces(l) + 3);
        const double size = scale * eight.B[l].norm();
        EXPECT_LE((found - forces).norm(), 1e-12 * size);
        EXPECT_LE((Eigen::Map<const Vec3>(out.forces(l)) + forces.rowwise().sum()).norm(), 1e-12 * size);
        const auto blocks = expected_blocks(material, eight, l, gradient, (projected >> l & 1) != 0);
        Eigen::Matrix<double, 9, 10> got;
        for (int b = 0; b < TetLanesOut::blocks_of_one; ++b) {
            for (int k = 0; k < 9; ++k) got(k, b) = out.entry(l, b, k) / weight;
        }
        EXPECT_LE((got - blocks).norm(), 1e-9 * blocks.norm()) << M::name << " lane " << l;
    }
    TetLanesOut value{};
    tet_lanes<M>().value(material, eight.in(false, 0), value);
    for (int l = 0; l < tets_at_once; ++l) {
        if (((out.unusual | value.unusual) >> l & 1) == 0) {
            EXPECT_EQ(value.value[l], out.value[l]);
        }
    }
    return usual;
}

TYPED_TEST(TetLanesOf, AgreesWithTheCodeForSingleElements)
{
    using M = TypeParam;
    const M material(Lame{2e5, 3e5});
    RandomMatrices random(7);
    int usual = 0, all = 0;
    for (int repeat = 0; repeat < 400 && !this->HasFailure(); ++repeat) {
        const double width = repeat % 4 == 0 ? 1e-6 : repeat % 4 == 1 ? 0.05 : 0.6; // near rest, and far from it
        const Eight eight(random_gradients(random, 1 - width, 1 + width), random);
        for (const unsigned projected : {0u, 0xffu, 0x5au}) {
            usual += agreeing_lanes(material, eight, projected);
            all += tets_at_once;
        }
    }
    EXPECT_GT(usual, 0.7 * all); // what is left over is slow
}

/// Where singular values or modes coincide or vanish: rest, turns, even growth, one axis under load (whose sums of two
/// principal stresses vanish), near coincidences that the projection must tell apart; materials that hardly change
/// their volume, or have a Poisson's ratio below zero.
TYPED_TEST(TetLanesOf, AgreesAtSpecialShapes)
{
    using M = TypeParam;
    const std::vector<Vec3> shapes{{1, 1, 1}, {0.9, 0.9, 0.9}, {1.1, 1.1, 1.1}, {1.2, 1.2, 0.9}, {1.2, 0.9, 0.9},
        {1.1, 1, 1 / 1.1}, {1.05, 1, 1}, {1, 1, 0.95}, {1 + 1e-9, 1, 1 - 1e-9}, {1 + 1e-13, 1, 1}, {1.1, 1 + 1e-9, 1},
        {1.3, 1 + 1e-12, 1}, {1.05, 0.985, 0.985}, {0.95, 0.95 + 1e-8, 1.1}, {3, 0.6, 0.6}, {1.6, 1.6, 1.6}};
    RandomMatrices random(11);
    int usual = 0, all = 0;
    for (const Lame& lame : {Lame{2e5, 3e5}, Lame{1e5, 5e6}, Lame{2e5, 0}, Lame{3e5, -1e5}}) {
        for (std::size_t s = 0; s < shapes.size() && !this->HasFailure(); ++s) {
            std::vector<Mat3> F{shapes[s].asDiagonal()};
            while (F.size() < tets_at_once) F.push_back(random.with_singular_values(shapes[s]));
            for (const unsigned projected : {0u, 0xffu}) {
                usual += agreeing_lanes(M(lame), Eight(F, random), projected);
                all += tets_at_once;
            }
        }
        EXPECT_FALSE(this->HasFailure()) << "mu " << lame.mu << ", lambda " << lame.lambda;
    }
    EXPECT_GT(usual, 0.6 * all);
}

TYPED_TEST(TetLanesOf, LeavesOverWhatItCannotDo)
{
    using M = TypeParam;
    RandomMatrices random(8);
    std::vector<Mat3> F = random_gradients(random, 0.9, 1.1);
    F[1] = random.with_singular_values({1, 1, 1e-7});
    F[2] = random.with_singular_values({1, 0.5, -1e-3});
    F[3] = Mat3::Zero();
    F[4].setConstant(std::numeric_limits<double>::quiet_NaN());
    F[5] = 1e200 * random.rotation();
    const Eight eight(F, random);
    TetLanesOut out{};
    tet_lanes<M>().gradient(M(Lame{1, 1}), eight.in(true, 0xff), out);
    for (const int l : {1, 2, 3, 4, 5}) EXPECT_NE(out.unusual >> l & 1, 0u) << l;
    for (const int l : {0, 6, 7}) EXPECT_EQ(out.unusual >> l & 1, 0u) << l;
}

TYPED_TEST(TetLanesOf, GivesTheSameBitsOnEveryProcessorAndInEveryLane)
{
    using M = TypeParam;
    const M material(Lame{2e5, 3e5});
    RandomMatrices random(9);
    for (int repeat = 0; repeat < 50; ++repeat) {
        const Eight eight(random_gradients(random, 0.5, 1.6), random);
        Eight turned = eight; // lane l becomes lane l + 3
        for (int l = 0; l < tets_at_once; ++l) {
            const int to = (l + 3) % tets_at_once;
            for (int a = 0; a < 4; ++a) turned.nodes[a][to] = eight.nodes[a][l];
            for (int k = 0; k < 9; ++k) turned.Dm_inv[k][to] = eight.Dm_inv[k][l];
            turned.volume[to] = eight.volume[l];
        }
        for (const unsigned projected : {0u, 0xffu}) {
            TetLanesOut first{}, other{};
            tet_lanes<M>().gradient(material, eight.in(true, projected), first);
            for (const std::string& isa : tet_lanes_isas()) {
                tet_lanes<M>(isa).gradient(material, eight.in(true, projected), other);
                ASSERT_EQ(std::memcmp(first.block, other.block, sizeof first.block), 0) << isa;
                ASSERT_EQ(std::memcmp(first.ninth, other.ninth, sizeof first.ninth), 0) << isa;
                ASSERT_EQ(std::memcmp(first.gradient, other.gradient, sizeof first.gradient), 0) << isa;
                ASSERT_EQ(std::memcmp(first.value, other.value, sizeof first.value), 0) << isa;
                ASSERT_EQ(first.unusual, other.unusual) << isa;
            }
            tet_lanes<M>().gradient(material, turned.in(true, projected), other);
            for (int l = 0; l < tets_at_once; ++l) {
                const int to = (l + 3) % tets_at_once;
                for (int b = 0; b < TetLanesOut::blocks_of_one; ++b) {
                    for (int k = 0; k < 9; ++k) ASSERT_EQ(first.entry(l, b, k), other.entry(to, b, k));
                }
                ASSERT_EQ(first.value[l], other.value[to]);
            }
        }
    }
}

TEST(TetLanes, AddUpTheSameOnEveryProcessorAsNumberByNumber)
{
    RandomMatrices random(12);
    TetLanesOut answers{};
    BatchSums blocks, forces;
    std::vector<BatchSums::Item> to_blocks, to_nodes;
    constexpr Index places = 30;
    Vector H = Vector::Random(9 * places + 1), g = Vector::Random(3 * places);
    Vector expected_H = H, expected_g = g;
    for (int l = 0; l < tets_at_once; ++l) {
        for (int b = 0; b < TetLanesOut::blocks_of_one; ++b) {
            const auto place = static_cast<Index>(random.uniform(0, places));
            to_blocks.push_back({place, static_cast<std::uint8_t>(TetParts::block(l, b))});
            for (int k = 0; k < 9; ++k) {
                answers.entry(l, b, k) = random.uniform(-1, 1);
                expected_H[9 * place + k] += answers.entry(l, b, k);
            }
        }
        for (int a = 0; a < 4; ++a) {
            const auto place = static_cast<Index>(random.uniform(0, places));
            to_nodes.push_back({place, static_cast<std::uint8_t>(TetParts::force(l, a))});
            for (int k = 0; k < 3; ++k) {
                double& force = answers.gradient[TetParts::force(l, a) + k];
                force = random.uniform(-1, 1);
                expected_g[3 * place + k] += 0.5 * force;
            }
        }
    }
    blocks.add(to_blocks);
    forces.add(to_nodes);
    std::vector<Vector> found_H, found_g;
    for (const std::string& isa : tet_lanes_isas()) {
        found_H.push_back(H);
        found_g.push_back(g);
        tet_lanes<NeoHookean>(isa).add_blocks(answers, blocks[0], found_H.back().data());
        tet_lanes<NeoHookean>(isa).add_gradient(answers, forces[0], 0.5, found_g.back().data());
        EXPECT_LE((found_H.back() - expected_H).lpNorm<Eigen::Infinity>(), 1e-14) << isa;
        EXPECT_LE((found_g.back() - expected_g).lpNorm<Eigen::Infinity>(), 1e-14) << isa;
        EXPECT_EQ(found_H.back(), found_H.front()) << isa;
        EXPECT_EQ(found_g.back(), found_g.front()) << isa;
    }
}

TEST(TetLanes, MissNoInversion)
{
    RandomMatrices random(10);
    int inverted = 0, cleared = 0;
    for (int repeat = 0; repeat < 2000; ++repeat) {
        const Eight eight(random_gradients(random, 0.5, 1.5), random);
        const Vector p = random.uniform(0, 0.15) * Vector::Random(eight.x.size());
        const unsigned may = tet_lanes<NeoHookean>().may_invert(eight.in(false, 0), p.data());
        for (int l = 0; l < tets_at_once; ++l) {
            bool inverts = false;
            for (int step = 0; step <= 20; ++step) {
                Mat3 edges;
                for (int k = 0; k < 3; ++k) {
                    const Vec3 from = node(eight.x, 4 * l) + step / 20.0 * node(p, 4 * l);
                    edges.col(k) = node(eight.x, 4 * l + k + 1) + step / 20.0 * node(p, 4 * l + k + 1) - from;
                }
                inverts = inverts || (edges * eight.B[l]).determinant() <= 0;
            }
            EXPECT_TRUE(!inverts || (may >> l & 1) != 0);
            inverted += inverts;
            cleared += (may >> l & 1) == 0;
        }
    }
    EXPECT_GT(inverted, 1000);
    EXPECT_GT(cleared, 1000);
}

} // namespace
} // namespace rubato
