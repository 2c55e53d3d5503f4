#include "geometry/generators.hpp"
#include "potentials/damping.hpp"
#include "potentials/random_state.hpp"
#include "potentials/springs.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

double value_at(Dissipation& dissipation, const Vector& u)
{
    double value = 0;
    Assembly out{.value = &value};
    dissipation.add(u, out);
    return value;
}

TEST(Damping, GradientAndHessianAreDerivativesWithRespectToVelocity)
{
    const Index nodes = 4;
    Springs springs({{0, 1, 5, 0.2}, {1, 2, 7, 0.4}, {2, 3, 9, 0.1}, {0, 3, 11, 2.0}});
    State now{0, random_vector(12, 1, 4), Vector::Zero(12)};

    std::vector<std::unique_ptr<Dissipation>> all;
    all.push_back(std::make_unique<Drag>(Mass(Vector::LinSpaced(nodes, 1, 2)), 0.7));
    all.push_back(std::make_unique<RayleighDamping>(std::vector<Potential*>{&springs}, nodes, 0.05));
    for (auto& dissipation : all) {
        dissipation->freeze(now);
        BlockPattern pattern(nodes);
        for (Index i = 0; i < nodes; ++i) {
            for (Index j = 0; j < i; ++j) pattern.add(i, j); // a wider pattern than its own
        }
        BlockMatrix H(pattern);
        const Vector u = random_vector(12, 1, 5), d = random_vector(12, 1, 6);
        Vector g = Vector::Zero(12), Hd;
        Assembly out{.gradient = &g, .hessian = &H};
        dissipation->add(u, out);
        H.mirror();
        H.multiply(d, Hd);
        // D is quadratic: central differences are exact up to round-off
        const double slope = 0.5 * (value_at(*dissipation, u + d) - value_at(*dissipation, u - d));
        EXPECT_NEAR(g.dot(d), slope, 1e-12 * (1 + std::abs(slope))) << dissipation->name();
        const double curvature
            = value_at(*dissipation, u + d) + value_at(*dissipation, u - d) - 2 * value_at(*dissipation, u);
        EXPECT_NEAR(d.dot(Hd), curvature, 1e-11 * (1 + curvature)) << dissipation->name();
        EXPECT_GE(d.dot(Hd), 0) << dissipation->name();
    }
}

TEST(Damping, RayleighLeavesRigidTranslationAlone)
{
    Springs springs({{0, 1, 5, 0.2}});
    RayleighDamping damping({&springs}, 2, 0.1);
    damping.freeze({0, random_vector(6, 1, 7), Vector::Zero(6)});
    Vector u(6);
    u << 1, 2, 3, 1, 2, 3;
    EXPECT_NEAR(value_at(damping, u), 0, 1e-14);
}

TEST(Damping, RayleighIsLagged)
{
    Springs springs({{0, 1, 5, 0.2}});
    RayleighDamping damping({&springs}, 2, 0.1);
    const State along_x{0, (Vector(6) << 1, 0, 0, 0, 0, 0).finished(), Vector::Zero(6)};
    const State along_y{0, (Vector(6) << 0, 1, 0, 0, 0, 0).finished(), Vector::Zero(6)};
    const Vector u = (Vector(6) << 1, 0, 0, 0, 0, 0).finished();
    damping.freeze(along_x);
    const double stiff = value_at(damping, u);
    damping.freeze(along_y);
    const double soft = value_at(damping, u);
    EXPECT_NEAR(stiff, 0.5 * 0.1 * 5, 1e-14);
    EXPECT_NEAR(soft, 0.5 * 0.1 * 5 * 0.8, 1e-14); // k (1 - L/l) across the spring
}

} // namespace
} // namespace rubato
