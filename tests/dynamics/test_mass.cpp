#include "dynamics/mass.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

/// Five nodes; nodes 1 to 3 move as one body with a dense Gram matrix.
Mass coupled_mass()
{
    Mass mass(Vector::LinSpaced(5, 1, 5));
    mass.couple(1, (Eigen::MatrixXd(3, 3) << 4, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 2).finished());
    return mass;
}

const Vector a = Vector::LinSpaced(15, -1, 2), b = Vector::LinSpaced(15, 3, -4).array().sin();

TEST(Mass, SolveUndoesMultiply)
{
    Vector f, back;
    coupled_mass().multiply(a, f);
    coupled_mass().solve(f, back);
    EXPECT_LE((back - a).norm(), 1e-14 * a.norm());
}

TEST(Mass, AForceOnANodeWithoutMassMovesNothing)
{
    Vector masses = Vector::LinSpaced(5, 1, 5), out = Vector::Constant(15, 7);
    masses[2] = 0;
    const Mass mass(masses);
    mass.solve(a, out);
    EXPECT_EQ(Vec3(node(out, 2)), Vec3(0, 0, 0));
    EXPECT_EQ(Vec3(node(out, 3)), Vec3(node(a, 3) / 4));
    mass.multiply(a, out);
    EXPECT_EQ(Vec3(node(out, 2)), Vec3(0, 0, 0));
}

TEST(Mass, InnerProductAndMatrixAgreeWithMultiply)
{
    const Mass mass = coupled_mass();
    Vector Mb, Ab;
    mass.multiply(b, Mb);
    EXPECT_NEAR(mass.inner(a, b), a.dot(Mb), 1e-12);

    BlockPattern pattern(mass.nodes());
    mass.pattern(pattern);
    BlockMatrix A(pattern);
    mass.add_to(A, 2);
    A.multiply(b, Ab);
    EXPECT_LE((Ab - 2 * Mb).norm(), 1e-13 * Mb.norm());
}

TEST(Mass, CouplingReachesItsOwnNodesOnly)
{
    Vector f;
    coupled_mass().multiply(Vector::Unit(15, 3 * 2 + 1), f); // node 2 along y
    Vector expected = Vector::Zero(15);
    expected[3 * 1 + 1] = 1;
    expected[3 * 2 + 1] = 3;
    expected[3 * 3 + 1] = 0.2;
    EXPECT_EQ(f, expected);
}

} // namespace
} // namespace rubato
