#include "base/parallel.hpp"
#include "scene/build.hpp"
#include "simulation/simulation.hpp"
#include "solvers/nonlinear/local_phase.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rubato {
namespace {

/// Eight rubber balls that fall on each other between two planes, with friction and damping. 568 nodes.
BuiltScene pile(bool local_solves, double duration = 0.1)
{
    return built(scene_from_text(fmt::format(R"({{"name": "pile", "time": {{"step": 0.01, "duration": {}}},
        "integrator": "implicit-euler", "solver": {{"type": "newton", "linear": "conjugate-gradients", "tolerance": 1e-4,
            "local_solves": {}}},
        "bodies": [{{"name": "ball", "mesh": {{"type": "ball", "radius": 0.05, "nodes": 70}}, "translate": [0, 0.052, 0],
            "density": 1000, "material": {{"type": "neo-hookean", "young": 5e4, "poisson": 0.4}},
            "copies": {{"type": "grid", "counts": [2, 2, 2], "spacing": [0.103, 0.103, 0.103], "rotate": true}}}}],
        "obstacles": [{{"type": "half-space"}},
            {{"type": "half-space", "name": "wall", "point": [-0.055, 0, 0], "normal": [1, 0.3, 0]}}],
        "damping": [{{"type": "rayleigh", "coefficient": 1e-3}}],
        "contact": {{"dhat": 2e-3, "friction": 0.3}}}})",
                                     duration, local_solves),
        "pile", ""));
}

/// The stage of a step from where the pile has just collided.
struct Collided {
    BuiltScene scene = pile(true);
    Vector x;
    IncrementalPotential E;
    BlockMatrix H;
    Region region;

    Collided()
        : E(scene.dynamics->system())
    {
        Simulation simulation = scene.simulation();
        EXPECT_TRUE(simulation.run(scene.duration).finished);
        const State& now = simulation.state();
        x = now.x;
        scene.dynamics->begin_step(now, 0.01);
        const Vector x_tilde = x + 0.01 * now.v;
        E.set_stage({.x_tilde = x_tilde, .x_anchor = x, .tau = 0.01, .scale = 1e-4, .t = now.t + 0.01});
        BlockPattern pattern(static_cast<Index>(x.size() / 3));
        E.pattern_at(x, pattern);
        EXPECT_GT(pattern.pairs().size(), 20u) << "nothing touches";
        H = BlockMatrix::extended(BlockMatrix(E.system().pattern()), pattern);
        region = Region(H.rows());
        region.add(3); // its whole ball and what touches that
        for (int ring = 0; ring < 4; ++ring) region.add_neighbours(H);
        region.sort();
        EXPECT_LT(region.size(), H.rows() / 2);
    }
};

/// Relative difference of the blocks between nodes of the region.
double difference(const Region& region, const BlockMatrix& A, const BlockMatrix& B)
{
    double difference = 0, size = 0;
    for (const Index i : region.nodes()) {
        for (Index k = A.row_begin()[static_cast<std::size_t>(i)]; k < A.row_begin()[static_cast<std::size_t>(i) + 1];
             ++k) {
            if (!region.has(A.column()[static_cast<std::size_t>(k)])) continue;
            difference = std::max(difference, (A.block(k) - B.block(k)).norm());
            size = std::max(size, A.block(k).norm());
        }
    }
    return difference / size;
}

TEST(RestrictedPotential, IsTheWholeOneAsFarAsItsNodesAreConcerned)
{
    Collided pile;
    Vector g, g_part;
    pile.E.all(pile.x, g, pile.H, false);
    BlockMatrix part = pile.H; // what was there before must not show
    const double value = pile.E.value(pile.x);
    Vector moved = pile.x;
    for (const Index i : pile.region.nodes()) node(moved, i) += Vec3(1e-5, -2e-5, 1e-5);
    ASSERT_GT(pile.E.max_step(pile.x, moved - pile.x), 1);
    const double change = pile.E.value(moved) - value;

    pile.E.restrict_to(&pile.region);
    const double value_part = pile.E.all(pile.x, g_part, part, false);
    EXPECT_LT(difference(pile.region, pile.H, part), 1e-12);
    for (Index i = 0; i < pile.H.rows(); ++i) {
        if (pile.region.has(i)) {
            EXPECT_LT((node(g, i) - node(g_part, i)).norm(), 1e-12 * g.norm()) << "node " << i;
        } else {
            EXPECT_EQ(node(g_part, i).norm(), 0) << "node " << i;
        }
    }
    EXPECT_NEAR(pile.E.value(moved) - value_part, change, 1e-10 * std::abs(value));
    EXPECT_NE(pile.E.value(moved), value_part);

    pile.E.restrict_to(nullptr);
    EXPECT_EQ(pile.E.value(pile.x), value);
}

TEST(RestrictedPotential, AnnouncesOnlyBlocksBetweenItsNodes)
{
    Collided pile;
    BlockPattern pattern(pile.H.rows());
    pile.E.restrict_to(&pile.region);
    pile.E.pattern_at(pile.x, pattern);
    EXPECT_FALSE(pattern.pairs().empty());
    for (const auto& [i, j] : pattern.pairs()) EXPECT_TRUE(pile.region.has(i) && pile.region.has(j));
}

TEST(ProjectedAgain, IsTheHessianWithTheOtherChoice)
{
    for (const bool restricted : {false, true}) {
        Collided pile;
        Region everything(pile.H.rows());
        for (Index i = 0; i < pile.H.rows(); ++i) everything.add(i);
        const Region& region = restricted ? pile.region : everything;
        if (restricted) pile.E.restrict_to(&region);
        std::vector<char> some(static_cast<std::size_t>(pile.H.rows()), 0);
        for (std::size_t i = 0; i < some.size(); i += 3) some[i] = 1;
        Vector g;
        BlockMatrix again = pile.H;
        for (const Projected& now : {Projected(some), Projected(true), Projected(false)}) {
            const Projected before = false;
            pile.E.all(pile.x, g, again, before);
            pile.E.project_again(pile.x, again, before, now);
            pile.E.all(pile.x, g, pile.H, now);
            EXPECT_LT(difference(region, pile.H, again), 1e-14);
        }
        pile.E.all(pile.x, g, again, Projected(some));
        EXPECT_GT(difference(region, pile.H, again), 1e-6) << "nothing was projected";
    }
}

class Work final : public Observer {
public:
    void step(const StepRecord& record) override
    {
        whole += record.outcome.solve.iterations;
        local += record.outcome.solve.local_iterations;
    }
    long whole = 0, local = 0;
};

TEST(LocalSolves, SaveIterationsAndEndAtTheSamePlace)
{
    Work with, without;
    Vector x, y;
    for (const bool local_solves : {true, false}) {
        BuiltScene scene = pile(local_solves);
        Simulation simulation = scene.simulation();
        simulation.observe(local_solves ? with : without);
        ASSERT_TRUE(simulation.run(scene.duration).finished);
        (local_solves ? x : y) = simulation.state().x;
    }
    EXPECT_GT(with.local, 0);
    EXPECT_EQ(without.local, 0);
    EXPECT_LT(with.whole, without.whole);
    // Ten steps, each solved to 1e-4 m/s times 10 ms; a collision spreads what is left of that.
    EXPECT_LT(largest_nodal_norm(Vector(x - y)), 1e-4);
}

TEST(LocalSolves, GiveTheSameBitsForAnyNumberOfThreadsAndFromAnyStart)
{
    const auto end = [](int threads) {
        set_thread_count(threads);
        BuiltScene scene = pile(true);
        Simulation simulation = scene.simulation();
        EXPECT_TRUE(simulation.run(scene.duration).finished);
        set_thread_count(0);
        return simulation.state().x;
    };
    const Vector x = end(1);
    EXPECT_EQ(x, end(2));

    // In two pieces: the second half by a program that has never seen the first.
    BuiltScene first = pile(true), second = pile(true);
    Simulation half = first.simulation();
    ASSERT_TRUE(half.run(first.duration / 2).finished);
    second.start = half.state();
    Work work;
    Simulation rest = second.simulation();
    rest.observe(work);
    ASSERT_TRUE(rest.run(first.duration).finished);
    EXPECT_GT(work.local, 0);
    EXPECT_EQ(rest.state().t, 0.1);
    EXPECT_EQ(x, rest.state().x);
}

TEST(LocalPhase, TakesFewNodesAndTheirNeighboursOrNone)
{
    constexpr Index nodes = 500;
    BlockPattern chain(nodes);
    for (Index i = 1; i < nodes; ++i) chain.add(i - 1, i);
    const BlockMatrix H(chain);
    Vector v = Vector::Zero(3 * nodes);
    LocalPhase phase;
    phase.allow(true, nodes, nodes);
    EXPECT_FALSE(phase.begin(v, 1, H)) << "nothing moves";
    v[3 * 100] = v[3 * 300 + 2] = 2;
    ASSERT_TRUE(phase.begin(v, 1, H));
    EXPECT_EQ(phase.region().nodes(), (std::vector<Index>{99, 100, 101, 299, 300, 301}));
    int iterations = 1;
    while (phase.goes_on()) ++iterations;
    EXPECT_LE(iterations * phase.region().size(), nodes) << "more work than one iteration over everything";
    for (Index i = 0; i < 40; ++i) v[3 * (10 * i)] = 2;
    EXPECT_FALSE(phase.begin(v, 1, H)) << "too many";
    phase.allow(true, nodes, 10);
    v.setZero();
    v[0] = 2;
    EXPECT_FALSE(phase.begin(v, 1, H)) << "too small to matter";
}

} // namespace
} // namespace rubato
