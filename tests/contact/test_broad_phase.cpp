#include "base/parallel.hpp"
#include "contact/broad_phase.hpp"
#include "contact/shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rubato {
namespace {

using test::SceneOfParts;

/// The pairs that the broad phase promises, by comparing everything with everything.
class BruteForce {
public:
    BruteForce(const CollisionSurface& surface, const PairRules& rules)
        : s_(surface)
        , rules_(rules)
    {
    }

    std::vector<CandidatePair> pairs(const Vector& x, const Vector* p, double reach)
    {
        x_ = &x;
        p_ = p;
        reach_ = reach;
        mean_.assign(s_.parts.size(), Vec3::Zero());
        for (std::size_t part = 0; p && part < s_.parts.size(); ++part) {
            double n = 0;
            for (std::size_t i = 0; i < s_.points.size(); ++i) {
                if (s_.point_part[i] != static_cast<Index>(part)) continue;
                mean_[part] += node(*p, s_.points[i]);
                ++n;
            }
            mean_[part] /= n;
        }
        out_.clear();
        const auto points = static_cast<Index>(s_.points.size());
        const auto edges = static_cast<Index>(s_.edges.size());
        const auto faces = static_cast<Index>(s_.faces.size());
        for (Index i = 0; i < points; ++i) {
            const std::vector<Index> point = {s_.points[i]};
            for (Index j = 0; j < faces; ++j) {
                const std::vector<Index> face(s_.faces[j].begin(), s_.faces[j].end());
                add(PairKind::point_triangle, i, j, point, face, s_.point_part[i], s_.face_part[j]);
            }
            for (Index j = 0; j < edges; ++j) {
                if (!s_.edge_alone[j] || on_a_face(s_.point_part[i], s_.points[i])) continue;
                const std::vector<Index> edge(s_.edges[j].begin(), s_.edges[j].end());
                add(PairKind::point_edge, i, j, point, edge, s_.point_part[i], s_.edge_part[j]);
            }
            for (Index j = i + 1; j < points; ++j) {
                if (!s_.point_alone[i] || !s_.point_alone[j]) continue;
                add(PairKind::point_point, i, j, point, {s_.points[j]}, s_.point_part[i], s_.point_part[j]);
            }
        }
        for (Index i = 0; i < edges; ++i) {
            const std::vector<Index> first(s_.edges[i].begin(), s_.edges[i].end());
            for (Index j = i + 1; j < edges; ++j) {
                const std::vector<Index> second(s_.edges[j].begin(), s_.edges[j].end());
                add(PairKind::edge_edge, i, j, first, second, s_.edge_part[i], s_.edge_part[j]);
            }
        }
        std::sort(out_.begin(), out_.end());
        return out_;
    }

private:
    bool on_a_face(Index part, Index node) const
    {
        for (std::size_t k = 0; k < s_.faces.size(); ++k) {
            const Triangle& f = s_.faces[k];
            if (s_.face_part[k] == part && std::find(f.begin(), f.end(), node) != f.end()) return true;
        }
        return false;
    }

    void add(PairKind kind, Index i, Index j, const std::vector<Index>& a, const std::vector<Index>& b, Index part_a,
        Index part_b)
    {
        if (s_.parts[part_a].kinematic && s_.parts[part_b].kinematic) return;
        if (!rules_.at(part_a, part_b).touch) return;
        for (const Index n : a) {
            if (std::find(b.begin(), b.end(), n) != b.end()) return;
        }
        const double wide = reach_ + s_.parts[part_a].radius + s_.parts[part_b].radius;
        for (int k = 0; k < 3; ++k) {
            double a_low = 1e300, a_high = -1e300, b_low = 1e300, b_high = -1e300;
            for (const Index n : a) widen(n, part_a, k, a_low, a_high);
            for (const Index n : b) widen(n, part_b, k, b_low, b_high);
            const double d = mean_[part_a][k] - mean_[part_b][k];
            if (a_low + std::min(d, 0.0) - b_high > wide || b_low - a_high - std::max(d, 0.0) > wide) return;
        }
        out_.push_back({kind, i, j});
    }

    void widen(Index n, Index part, int k, double& low, double& high) const
    {
        const double here = node(*x_, n)[k];
        const double there = p_ ? here + node(*p_, n)[k] - mean_[part][k] : here;
        low = std::min({low, here, there});
        high = std::max({high, here, there});
    }

    const CollisionSurface& s_;
    const PairRules& rules_;
    const Vector* x_ = nullptr;
    const Vector* p_ = nullptr;
    double reach_ = 0;
    std::vector<Vec3> mean_;
    std::vector<CandidatePair> out_;
};

/// Balls, rods, beads, a particle and an open sheet, some kinematic, some with a radius.
SceneOfParts crowd(int balls)
{
    SceneOfParts scene;
    for (int i = 0; i < balls; ++i) {
        scene.add_mesh(
            test::ball(3, 0.4), {0.7 * (i % 3), 0.7 * (i / 3), 0.1 * i}, {.name = "ball", .kinematic = i == 1});
    }
    CollisionSurface& s = scene.surface;
    Index n = scene.add_nodes({{-1, 0, 0}, {-0.2, 0.1, 0}, {0.6, 0, 0.3}, {1.5, 0.3, 0.2}});
    s.add_curve(s.add_part({.name = "rod", .radius = 0.05}), {{n, n + 1}, {n + 1, n + 2}, {n + 2, n + 3}}, scene.X);
    n = scene.add_nodes({{0, 1, -0.4}, {0.9, -0.3, 0.4}});
    s.add_curve(s.add_part({.name = "capsule", .kinematic = true, .radius = 0.1}), {{n, n + 1}}, scene.X);
    for (int k = 0; k < 8; ++k) {
        n = scene.add_nodes({Vec3(0.1037 * k, 0.2 + 0.0971 * (k % 3), 0.4123)});
        s.add_point(s.add_part({.name = "bead", .radius = 0.02 * k}), n);
    }
    n = scene.add_nodes({{-1, -1, -0.3}, {2, -1, -0.3}, {-1, 2, -0.2}, {2, 2, -0.3}});
    s.add_faces(s.add_part({.name = "floor", .kinematic = true}), {{n, n + 1, n + 2}, {n + 1, n + 3, n + 2}}, scene.X);
    return scene;
}

PairRules rules_of_crowd(const CollisionSurface& surface)
{
    PairRules rules(surface.parts.size());
    rules.set(0, 3, {.touch = false});
    rules.set(2, 2, {.touch = false});
    return rules;
}

TEST(BroadPhase, FindsExactlyThePairsOfBruteForce)
{
    const SceneOfParts scene = crowd(5);
    const PairRules rules = rules_of_crowd(scene.surface);
    BroadPhase broad(scene.surface, rules, scene.X);
    BruteForce brute(scene.surface, rules);
    std::mt19937 random(7);
    std::vector<CandidatePair> found;
    std::array<std::size_t, 4> of_kind = {};
    for (int trial = 0; trial < 24; ++trial) {
        const Vector x = scene.X + test::random_vector(static_cast<Index>(scene.X.size()), 0.02 * (trial % 3), random);
        Vector p = test::random_vector(static_cast<Index>(x.size()), trial % 4 < 2 ? 0.01 : 0.2, random);
        for (std::size_t part = 0; part < scene.surface.parts.size(); ++part) { // parts fly in all directions
            const Vector way = test::random_vector(3, 0.6, random);
            for (std::size_t i = 0; i < scene.surface.points.size(); ++i) {
                if (scene.surface.point_part[i] == static_cast<Index>(part)) node(p, scene.surface.points[i]) += way;
            }
        }
        const Vector* way = trial % 2 == 0 ? &p : nullptr;
        const double reach = trial % 5 == 0 ? 0 : 0.01 * (trial % 5);
        broad.candidates(x, way, reach, found);
        const auto expected = brute.pairs(x, way, reach);
        EXPECT_TRUE(found == expected) << "trial " << trial << ", " << found.size() << " and " << expected.size();
        for (const CandidatePair& pair : found) ++of_kind[static_cast<int>(pair.kind)];
    }
    for (int kind = 0; kind < 4; ++kind) EXPECT_GT(of_kind[kind], 50u) << "the scene shows nothing of kind " << kind;
}

TEST(BroadPhase, FindsExactlyThePairsOfACrumpledSheet)
{
    SceneOfParts scene;
    scene.add_mesh(test::ball(6));
    const PairRules rules(1);
    BroadPhase broad(scene.surface, rules, scene.X);
    std::mt19937 random(11);
    std::vector<CandidatePair> found;
    Vector x = 0.2 * scene.X + test::random_vector(static_cast<Index>(scene.X.size()), 0.5, random);
    const Vector p = test::random_vector(static_cast<Index>(x.size()), 0.05, random);
    broad.candidates(x, &p, 1e-3, found);
    EXPECT_GT(found.size(), 50'000u);
    EXPECT_EQ(found, BruteForce(scene.surface, rules).pairs(x, &p, 1e-3));
}

TEST(BroadPhase, LeavesNothingOfACommonMotion)
{
    SceneOfParts scene;
    scene.add_mesh(test::ball(6));
    scene.add_mesh(test::ball(6), {2.2, 0, 0});
    const PairRules rules(2);
    BroadPhase broad(scene.surface, rules, scene.X);
    std::vector<CandidatePair> at_rest, flying;
    broad.candidates(scene.X, nullptr, 1e-3, at_rest);
    Vector p(scene.X.size());
    for (Index i = 0; i < p.size() / 3; ++i) node(p, i) = Vec3(100, -250, 75);
    broad.candidates(scene.X, &p, 1e-3, flying);
    EXPECT_EQ(flying, at_rest);
}

TEST(BroadPhase, MissesNoPairForTheLastDigitOfItsWay)
{
    // Two points meet at the very end of their ways, up to rounding; or stop short of it.
    SceneOfParts scene;
    CollisionSurface& s = scene.surface;
    const Index n = scene.add_nodes({Vec3::Zero(), Vec3::Zero()});
    s.add_point(s.add_part({"a"}), n);
    s.add_point(s.add_part({"b"}), n + 1);
    const PairRules rules(2);
    BroadPhase broad(s, rules, scene.X);
    std::mt19937 random(2);
    std::vector<CandidatePair> found;
    for (int trial = 0; trial < 1000; ++trial) {
        const Vector x = test::random_vector(6, 1e6, random);
        const Vec3 end = test::random_vector(3, 1e6, random);
        Vector p(6);
        for (const Index i : {0, 1}) node(p, i) = end - node(x, i);
        broad.candidates(x, &p, 0, found);
        EXPECT_EQ(found, (std::vector<CandidatePair>{{PairKind::point_point, 0, 1}}));
        p *= 1 - 1e-9;
        broad.candidates(x, &p, 0, found);
        EXPECT_TRUE(found.empty());
    }
}

TEST(BroadPhase, AnswersAlikeForAnyNumberOfThreads)
{
    const SceneOfParts scene = crowd(9);
    const PairRules rules = rules_of_crowd(scene.surface);
    std::mt19937 random(3);
    const Vector p = test::random_vector(static_cast<Index>(scene.X.size()), 0.3, random);
    std::vector<std::vector<CandidatePair>> answers;
    for (const int threads : {1, 2, 5}) {
        set_thread_count(threads);
        BroadPhase broad(scene.surface, rules, scene.X);
        broad.candidates(scene.X, &p, 0.05, answers.emplace_back());
    }
    set_thread_count(0);
    EXPECT_GT(answers[0].size(), 1000u);
    EXPECT_EQ(answers[1], answers[0]);
    EXPECT_EQ(answers[2], answers[0]);
}

TEST(BroadPhase, FindsNeighboursAmongManyParts)
{
    SceneOfParts scene;
    const int side = 12;
    for (int i = 0; i < side * side * side; ++i) {
        const Index n = scene.add_nodes({Vec3(i % side, i / side % side, i / (side * side))});
        scene.surface.add_point(scene.surface.add_part({"grain"}), n);
    }
    const PairRules rules(scene.surface.parts.size());
    BroadPhase broad(scene.surface, rules, scene.X);
    std::mt19937 random(5);
    const Vector p = test::random_vector(static_cast<Index>(scene.X.size()), 1, random);
    std::vector<CandidatePair> found;
    broad.candidates(scene.X, &p, 0.1, found);
    EXPECT_GT(found.size(), 500u);
    EXPECT_EQ(found, BruteForce(scene.surface, rules).pairs(scene.X, &p, 0.1));
}

TEST(BroadPhase, AnswersForNothing)
{
    CollisionSurface surface;
    surface.add_part({"half-space only"});
    const PairRules rules(1);
    const Vector none(0);
    BroadPhase broad(surface, rules, none);
    std::vector<CandidatePair> found = {{PairKind::edge_edge, 0, 1}};
    broad.candidates(none, nullptr, 1, found);
    EXPECT_TRUE(found.empty());
}

} // namespace
} // namespace rubato
