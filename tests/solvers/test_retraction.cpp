#include "potentials/forces.hpp"
#include "potentials/random_state.hpp"
#include "potentials/springs.hpp"
#include "solvers/nonlinear/newton.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

/// The plane n . x = 0, to which all nodes are held.
const Vec3 normal = Vec3(1, 2, -0.5).normalized();

double distance_from_plane(const Vector& x)
{
    double largest = 0;
    for (Index i = 0; i < static_cast<Index>(x.size() / 3); ++i) {
        largest = std::max(largest, std::abs(normal.dot(Vec3(node(x, i)))));
    }
    return largest;
}

void into_plane(Vector& x)
{
    for (Index i = 0; i < static_cast<Index>(x.size() / 3); ++i) node(x, i) -= normal * normal.dot(Vec3(node(x, i)));
}

class HeldToPlane final : public IncrementalPotential {
public:
    using IncrementalPotential::IncrementalPotential;
    bool retract(Vector& y) override
    {
        ++retracted;
        if (distance_from_plane(y) < 1e-13) return false;
        into_plane(y);
        return true;
    }
    void to_tangent(const Vector&, Vector& p) override
    {
        ++flattened;
        into_plane(p);
    }
    int retracted = 0, flattened = 0;
};

/// Has no energy; notes how far from the plane it was asked about a place, or a way.
class Watched final : public Potential {
public:
    std::string_view name() const override { return "watched"; }
    EnergyKind kind() const override { return EnergyKind::other; }
    void pattern(BlockPattern&) const override { }
    void add(const Vector& x, double, Assembly&) override { farthest = std::max(farthest, distance_from_plane(x)); }
    double max_step(const Vector& x, const Vector& p) const override
    {
        way = std::max(way, distance_from_plane(x + p));
        return 2;
    }
    double farthest = 0;
    mutable double way = 0; ///< [m]
};

/// A triangle of springs with a tail, under a force that pulls out of the plane and along it.
System triangle(Watched*& watched)
{
    System system;
    Vector mass(4);
    mass << 1.0, 0.4, 1.7, 0.6;
    system.mass = Mass(mass);
    system.potentials.push_back(std::make_unique<Springs>(
        std::vector<Spring>{{0, 1, 300, 0.7}, {1, 2, 200, 1.1}, {2, 0, 500, 0.6}, {2, 3, 80, 0.5}}));
    system.potentials.push_back(std::make_unique<Gravity>(mass, Vec3(3, -9.8, 2), Vec3::Zero()));
    auto spy = std::make_unique<Watched>();
    watched = spy.get();
    system.potentials.push_back(std::move(spy));
    system.prescription.finish(system.unknowns());
    return system;
}

TEST(Retraction, NewtonStaysInAPlaneAndFindsTheMinimumThere)
{
    constexpr double h = 0.2;
    for (const LineSearch search : {LineSearch::backtracking, LineSearch::wolfe}) {
        Watched* watched = nullptr;
        System system = triangle(watched);
        HeldToPlane E(system);
        Vector start = random_vector(12, 1, 5);
        into_plane(start);
        const Vector x_tilde = start + h * random_vector(12, 2, 6);
        ASSERT_GT(distance_from_plane(x_tilde), 0.1);
        E.set_stage({.x_tilde = x_tilde, .x_anchor = start, .tau = h, .scale = h * h, .t = h});

        Newton newton({.velocity_tolerance = 1e-10, .line_search = search});
        newton.begin_step({.now = State{0, start, Vector::Zero(12)}, .h = h});
        Vector y, g;
        const SolveReport report = newton.minimise(E, start, y);
        EXPECT_TRUE(report.ok()) << text(report.reason);
        EXPECT_GT(E.retracted, 0);
        EXPECT_GT(E.flattened, 0);
        EXPECT_LE(distance_from_plane(y), 1e-12);
        EXPECT_LE(watched->farthest, 1e-12) << "E was evaluated elsewhere";
        EXPECT_LE(watched->way, 1e-12) << "the way was asked to a place that is not gone to";

        // In the plane no direction leads down, to first and to second order; out of it many do.
        const double f = E.value_and_gradient(y, g);
        EXPECT_GT(g.norm(), 0.1);
        into_plane(g);
        EXPECT_LE(g.norm(), 1e-8);
        for (unsigned seed = 10; seed < 30; ++seed) {
            Vector p = random_vector(12, 1e-3, seed);
            into_plane(p);
            EXPECT_GT(E.value(y + p), f);
        }
    }
}

} // namespace
} // namespace rubato
