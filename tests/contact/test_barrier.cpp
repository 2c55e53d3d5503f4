#include "base/random.hpp"
#include "contact/barrier.hpp"
#include "contact/barrier_function.hpp"
#include "contact/friction.hpp"
#include "contact_scenes/segments_and_triangles.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace rubato {
namespace {

constexpr double kappa = 300, dhat = 0.3; // [N/m], [m]

/// Two triangles and a lone edge above a half-space, all close to each other. If it turns, the edge is a thin bar, and
/// node 8 has what its surface does.
struct CloseThings {
    CollisionSurface surface;
    Vector x;

    explicit CloseThings(std::uint64_t seed, bool flat = false, bool turns = false)
    {
        Random random(seed);
        x.setZero(turns ? 3 * 9 : 3 * 8);
        const auto jitter = [&] { return random.uniform(-0.2, 0.2); };
        const double z[8] = {0.11, 0.11, 0.11, 0.3, 0.3, 0.3, 0.45, 0.45};
        const double px[8] = {0, 1, 0, 0.1, 1.1, 0.2, -0.2, 1};
        const double py[8] = {0, 0, 1, 0.1, 0.2, 1.1, 0.3, 0.35};
        for (Index i = 0; i < 8; ++i) {
            node(x, i)
                = flat ? Vec3(px[i], py[i], z[i]) : Vec3(px[i] + jitter(), py[i] + jitter(), z[i] + 0.25 * jitter());
        }
        for (const char* name : {"a", "b", "c", "ground"}) surface.add_part({.name = name});
        if (turns) {
            surface.parts[2].radius = 0.05;
            surface.parts[2].turning = 8;
        }
        surface.add_faces(0, {{0, 1, 2}}, x);
        surface.add_faces(1, {{3, 4, 5}}, x);
        surface.add_curve(2, {{6, 7}}, x);
        surface.half_spaces.push_back({.point = Vec3::Zero(), .normal = Vec3::UnitZ(), .part = 3});
    }
    std::shared_ptr<ContactSet> contacts(double friction = 0) const
    {
        return std::make_shared<ContactSet>(
            surface, PairRules(surface.parts.size(), {.touch = true, .friction = friction}), dhat, x);
    }
};

Eigen::MatrixXd dense(const BlockMatrix& A)
{
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(3 * A.rows(), 3 * A.rows());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index k = A.row_begin()[static_cast<std::size_t>(i)]; k < A.row_begin()[static_cast<std::size_t>(i) + 1];
             ++k) {
            out.block<3, 3>(3 * i, 3 * A.column()[static_cast<std::size_t>(k)]) = A.block(k);
        }
    }
    return out;
}

struct Evaluation {
    double value = 0;
    Vector gradient;
    Eigen::MatrixXd hessian;
};

Evaluation evaluated(Barrier& barrier, const Vector& x, bool projected)
{
    BlockPattern pattern(static_cast<Index>(x.size() / 3));
    barrier.pattern_at(x, pattern);
    BlockMatrix H = BlockMatrix::extended(BlockMatrix(BlockPattern(pattern.rows())), pattern);
    Evaluation out;
    out.gradient = Vector::Zero(x.size());
    Assembly sink{.value = &out.value, .gradient = &out.gradient, .hessian = &H, .projected = projected};
    barrier.add(x, 0, sink);
    H.mirror();
    out.hessian = dense(H);
    return out;
}

TEST(BarrierFunction, AndItsDerivativesVanishAtDhatAndGrowWithoutBound)
{
    EXPECT_EQ(barrier_function(1).b, 0);
    EXPECT_EQ(barrier_function(2).b2, 0);
    const BarrierValues near = barrier_function(1 - 1e-4);
    EXPECT_LT(std::abs(near.b2), 1e-3); // continuous second derivative
    EXPECT_GT(barrier_function(1e-12).b, 27);
    for (const double y : {0.01, 0.3, 0.7, 0.99}) {
        const double e = 1e-6 * y;
        const BarrierValues a = barrier_function(y - e), b = barrier_function(y + e), m = barrier_function(y);
        EXPECT_NEAR((b.b - a.b) / (2 * e), m.b1, 1e-6 * std::abs(m.b1));
        EXPECT_NEAR((b.b1 - a.b1) / (2 * e), m.b2, 1e-6 * std::abs(m.b2));
        EXPECT_LT(m.b1, 0);
        EXPECT_GT(m.b2, 0);
    }
}

TEST(Barrier, HasTheDerivativesOfItsValue)
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const CloseThings things(seed, seed == 0); // the flat one has parallel edges, whose barrier is mollified
        Barrier barrier(things.contacts(), kappa);
        const Evaluation at = evaluated(barrier, things.x, false);
        ASSERT_GT(at.value, 0);
        const double scale = at.gradient.norm();
        Eigen::MatrixXd H = at.hessian;
        Vector g = at.gradient;
        int rough = 0; // a region may switch within the difference
        for (Eigen::Index i = 0; i < things.x.size(); ++i) {
            const double e = 1e-6;
            Vector left = things.x, right = things.x;
            left[i] -= e;
            right[i] += e;
            const Evaluation a = evaluated(barrier, left, false), b = evaluated(barrier, right, false);
            EXPECT_NEAR((b.value - a.value) / (2 * e), g[i], 1e-6 * scale) << seed;
            const Vector column = (b.gradient - a.gradient) / (2 * e);
            if ((column - H.col(i)).norm() > 1e-5 * H.norm()) ++rough;
        }
        EXPECT_LE(rough, seed == 0 ? 24 : 1) << seed; // in the flat one edges switch regions at once
    }
}

/// Two edges that cross in the middle at such an angle that the mollifier is half way up.
TEST(Barrier, HasTheDerivativesOfNearlyParallelEdges)
{
    for (const double tilt : {0.01, 0.015, 0.02}) { // sin of the angle; the mollifier ends at sqrt(1e-3) = 0.032
        Vector x(12);
        x << -0.5, 0, 0, 0.5, 0, 0, -0.4, -0.4 * tilt, 0.05, 0.6, 0.6 * tilt, 0.05;
        CollisionSurface surface;
        for (const char* name : {"a", "b"}) surface.add_part({.name = name});
        surface.add_curve(0, {{0, 1}}, x);
        surface.add_curve(1, {{2, 3}}, x);
        const auto contacts
            = std::make_shared<ContactSet>(surface, PairRules(2, {.touch = true, .friction = 0}), dhat, x);
        contacts->update(x);
        int mollified = 0;
        for (const ContactPair& pair : contacts->pairs()) mollified += pair.mollifier_eps > 0;
        ASSERT_EQ(mollified, 1);
        Barrier barrier(contacts, kappa);
        const Evaluation at = evaluated(barrier, x, false);
        for (Eigen::Index i = 0; i < x.size(); ++i) {
            const double e = 1e-7;
            Vector left = x, right = x;
            left[i] -= e;
            right[i] += e;
            const Evaluation a = evaluated(barrier, left, false), b = evaluated(barrier, right, false);
            EXPECT_NEAR((b.value - a.value) / (2 * e), at.gradient[i], 1e-6 * at.gradient.norm()) << tilt << " " << i;
            const Vector column = (b.gradient - a.gradient) / (2 * e);
            EXPECT_LT((column - at.hessian.col(i)).norm(), 1e-5 * at.hessian.norm()) << tilt << " " << i;
        }
    }
}

TEST(Barrier, ProjectedHessiansAreSemidefiniteAndDominateTheExactOnes)
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const CloseThings things(seed, seed == 0);
        Barrier barrier(things.contacts(), kappa);
        const Eigen::MatrixXd exact = evaluated(barrier, things.x, false).hessian;
        const Eigen::MatrixXd projected = evaluated(barrier, things.x, true).hessian;
        const Eigen::VectorXd of_projected = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(projected).eigenvalues();
        EXPECT_GE(of_projected.minCoeff(), -1e-9 * of_projected.maxCoeff()) << seed;
        // Each pair loses its negative part only: the difference has no negative direction.
        const Eigen::VectorXd gained = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(projected - exact).eigenvalues();
        EXPECT_GE(gained.minCoeff(), -1e-9 * of_projected.maxCoeff()) << seed;
    }
}

TEST(Barrier, PushesWithoutNetForceOrTorqueBetweenBodies)
{
    CloseThings things(7);
    things.surface.half_spaces.clear();
    Barrier barrier(things.contacts(), kappa);
    const Evaluation at = evaluated(barrier, things.x, false);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (Index i = 0; i < 8; ++i) {
        force += node(at.gradient, i);
        torque += Vec3(node(things.x, i)).cross(Vec3(node(at.gradient, i)));
    }
    EXPECT_LT(force.norm(), 1e-11 * at.gradient.norm());
    EXPECT_LT(torque.norm(), 1e-11 * at.gradient.norm());
}

bool meets(const Vector& x, Index from, Index to, const std::array<Index, 3>& triangle)
{
    using namespace test::checker;
    return segment_meets_triangle(at(x, from), at(x, to), {at(x, triangle[0]), at(x, triangle[1]), at(x, triangle[2])});
}

TEST(Barrier, StopsAStepBeforeAnythingTouches)
{
    for (std::uint64_t seed = 1; seed < 200; ++seed) {
        const CloseThings things(seed);
        Random random(1000 + seed);
        Barrier barrier(things.contacts(), kappa);
        Vector p(things.x.size());
        for (double& value : p) value = random.uniform(-3, 3);
        const double cap = barrier.max_step(things.x, p);
        ASSERT_GT(cap, 0);
        const Vector at = things.x + std::min(1.0, cap) * p;
        EXPECT_TRUE(std::isfinite(evaluated(barrier, at, true).value)) << seed;
        EXPECT_GT(barrier.touching(at).min_distance, 0);
        // On the way nothing passes through: sides of triangle a and the curve never meet the other's face.
        for (int n = 1; n <= 200; ++n) {
            const Vector y = things.x + (n / 200.0 * std::min(1.0, cap)) * p;
            for (const auto& [from, to] : {std::pair{0, 1}, {1, 2}, {2, 0}, {6, 7}}) {
                ASSERT_FALSE(meets(y, from, to, {3, 4, 5})) << seed << " at " << n;
            }
            for (const auto& [from, to] : {std::pair{3, 4}, {4, 5}, {5, 3}, {6, 7}}) {
                ASSERT_FALSE(meets(y, from, to, {0, 1, 2})) << seed << " at " << n;
            }
        }
    }
}

/// Every step leaves a tenth of the gap, or a tenth of dhat: also one that ends before anything meets.
TEST(Barrier, KeepsAShareOfTheGapWhereAStepEndsJustBeforeContact)
{
    Vector x(18);
    x << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 0.1, 0.4, 0.2, 0.1, 0.2, 0.4, 0.1;
    CollisionSurface surface;
    for (const char* name : {"a", "b"}) surface.add_part({.name = name});
    surface.add_faces(0, {{0, 1, 2}}, x);
    surface.add_faces(1, {{3, 4, 5}}, x);
    Barrier barrier(
        std::make_shared<ContactSet>(surface, PairRules(2, {.touch = true, .friction = 0}), dhat, x), kappa);
    Vector p = Vector::Zero(18);
    for (Index i = 3; i < 6; ++i) node(p, i) = Vec3(0, 0, -0.1 + 1e-9);
    const double cap = barrier.max_step(x, p);
    EXPECT_LT(cap, 0.901);
    EXPECT_GT(cap, 0.89);
}

TEST(Barrier, CountsWhatItsRulesLetTouch)
{
    const CloseThings things(3);
    PairRules rules(things.surface.parts.size(), {.touch = false, .friction = 0});
    rules.set(0, 3, {.touch = true, .friction = 0});
    Barrier barrier(std::make_shared<ContactSet>(things.surface, rules, dhat, things.x), kappa);
    EXPECT_EQ(barrier.touching(things.x).contacts, 3); // the points of the lowest triangle, with the ground
}

TEST(Friction, HasTheDerivativesOfItsValueAndOpposesSliding)
{
    for (std::uint64_t seed = 1; seed < 60; ++seed) {
        const CloseThings things(seed, false, seed >= 30);
        Friction friction(things.contacts(0.7), kappa, 0.5, 1);
        friction.freeze({0, things.x, Vector::Zero(things.x.size())});
        const auto nodes = static_cast<Index>(things.x.size() / 3);
        BlockPattern pattern(nodes);
        friction.frozen_pattern(pattern);
        BlockMatrix H = BlockMatrix::extended(BlockMatrix(BlockPattern(nodes)), pattern);
        Random random(seed);
        Vector u(things.x.size());
        for (double& value : u) value = random.uniform(-1, 1);
        const auto at = [&](const Vector& velocity, Vector& g) {
            double value = 0;
            g = Vector::Zero(u.size());
            Assembly sink{.value = &value, .gradient = &g};
            friction.add(velocity, sink);
            return value;
        };
        Vector g, a, b;
        at(u, g);
        Assembly sink{.hessian = &H};
        friction.add(u, sink);
        H.mirror();
        const Eigen::MatrixXd whole = dense(H);
        EXPECT_GT(g.dot(u), 0);
        for (Eigen::Index i = 0; i < u.size(); ++i) {
            const double e = 1e-6;
            Vector left = u, right = u;
            left[i] -= e;
            right[i] += e;
            const double below = at(left, a), above = at(right, b);
            EXPECT_NEAR((above - below) / (2 * e), g[i], 1e-6 * g.norm());
            EXPECT_LT(((b - a) / (2 * e) - whole.col(i)).norm(), 1e-5 * whole.norm());
        }
        const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(whole).eigenvalues();
        EXPECT_GE(eigenvalues.minCoeff(), -1e-12 * eigenvalues.maxCoeff());
    }
}

/// A ball (node 0, turning by node 4) under a triangle: its surface moves with V + omega x r where they touch. It may
/// be the side whose weights are positive or the other one.
TEST(Friction, FeelsTheSurfaceOfABallThatTurns)
{
    const double radius = 0.5, mu = 0.25;
    const Vec3 V(0.3, -0.1, 0.2), omega(2, 1, -3), r(0, 0, radius);
    for (const bool ball_first : {true, false}) {
        Vector x = Vector::Zero(15);
        x << 0, 0, -radius - 0.1, -1, -1, 0, 1, -1, 0, 0, 1, 0, 0, 0, 0;
        CollisionSurface surface;
        surface.add_part({.name = "first"});
        surface.add_part({.name = "second"});
        const Index ball = ball_first ? 0 : 1, triangle = 1 - ball;
        auto& part = surface.parts[static_cast<std::size_t>(ball)];
        part.radius = radius;
        part.turning = 4;
        surface.add_point(ball, 0);
        surface.add_faces(triangle, {{1, 2, 3}}, x);
        const auto contacts
            = std::make_shared<ContactSet>(surface, PairRules(2, {.touch = true, .friction = mu}), dhat, x);
        Barrier barrier(contacts, kappa);
        const double N = std::abs(evaluated(barrier, x, false).gradient[2]);
        ASSERT_GT(N, 0);
        Friction friction(contacts, kappa, 1e-3, 1);
        friction.freeze({0, x, Vector::Zero(15)});
        Vector u = Vector::Zero(15), g = Vector::Zero(15);
        node(u, 0) = V;
        node(u, 4) = radius * omega;
        Assembly sink{.gradient = &g};
        friction.add(u, sink);
        Vec3 surface_velocity = V + omega.cross(r);
        surface_velocity.z() = 0;
        const Vec3 force = mu * N * surface_velocity.normalized(); // on the triangle
        EXPECT_LT((node(g, 1) + node(g, 2) + node(g, 3) + force).norm(), 1e-12 * N);
        EXPECT_LT((node(g, 0) - force).norm(), 1e-12 * N);
        EXPECT_LT((node(g, 4) - r.cross(force) / radius).norm(), 1e-12 * N) << "the torque that resists, over R";
        EXPECT_NEAR(g.dot(u), mu * N * surface_velocity.norm(), 1e-12 * N) << "what becomes heat";
    }
}

TEST(Friction, IsCoulombsOnceItSlides)
{
    CollisionSurface surface;
    surface.add_part({.name = "particle"});
    surface.add_part({.name = "ground"});
    surface.add_point(0, 0);
    surface.half_spaces.push_back({.point = Vec3::Zero(), .normal = Vec3::UnitZ(), .part = 1});
    Vector x = Vector::Zero(3);
    x[2] = 0.1;
    const auto contacts
        = std::make_shared<ContactSet>(surface, PairRules(2, {.touch = true, .friction = 0.25}), dhat, x);
    Barrier barrier(contacts, kappa);
    const double N = -evaluated(barrier, x, false).gradient[2];
    ASSERT_GT(N, 0);
    Friction friction(contacts, kappa, 1e-3, 1);
    friction.freeze({0, x, Vector::Zero(3)});
    Vector g = Vector::Zero(3);
    Assembly sink{.gradient = &g};
    friction.add(Vec3(0.3, 0.4, 7), sink); // falling as well: that is none of its business
    EXPECT_NEAR(g[0], 0.25 * N * 0.6, 1e-12 * N);
    EXPECT_NEAR(g[1], 0.25 * N * 0.8, 1e-12 * N);
    EXPECT_EQ(g[2], 0);
}

} // namespace
} // namespace rubato
