#include "contact_scenes/checker.hpp"
#include "geometry/generators.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace rubato {
namespace {

using test::CheckedScene;
using test::Verdict;
using test::verdict;

/// Blocks of tetrahedra, put together.
struct Blocks {
    CheckedScene scene;
    Vector x;

    void add(const Vec3& middle, int cells = 2, double size = 1)
    {
        const TetMesh mesh = box_mesh(Vec3::Constant(size), {cells, cells, cells});
        const auto first = static_cast<Index>(x.size() / 3);
        x.conservativeResize(x.size() + 3 * static_cast<Index>(mesh.nodes.size()));
        for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
            node(x, first + static_cast<Index>(i)) = mesh.nodes[i] + middle;
        }
        for (auto tet : mesh.tets) {
            for (Index& i : tet) i += first;
            scene.tets.push_back(tet);
        }
        for (auto triangle : boundary_triangles(mesh.tets)) {
            for (Index& i : triangle) i += first;
            scene.triangles.push_back(triangle);
        }
    }
    void turn()
    {
        const Mat3 R = (Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized())).toRotationMatrix();
        for (Index i = 0; i < x.size() / 3; ++i) node(x, i) = (R * node(x, i)).eval();
    }
    Verdict judged() const { return verdict(scene, x); }
};

TEST(Checker, PassesBlocksThatAreApart)
{
    Blocks blocks;
    blocks.add({0, 0, 0}, 3);
    blocks.add({1 + 1e-9, 0.1, 0.2}, 2);
    blocks.add({0.3, 1.5, 0}, 1);
    EXPECT_TRUE(blocks.judged().clean()) << blocks.judged().first;
    blocks.turn(); // flat sides are no longer flat to the last digit
    EXPECT_TRUE(blocks.judged().clean()) << blocks.judged().first;
}

TEST(Checker, FindsBlocksThatTouch)
{
    Blocks blocks;
    blocks.add({0, 0, 0});
    blocks.add({1, 0.1, 0.2});
    EXPECT_GT(blocks.judged().intersections, 0);
    EXPECT_EQ(blocks.judged().inversions, 0);
    EXPECT_NE(blocks.judged().first.find("meets triangle"), std::string::npos) << blocks.judged().first;
}

TEST(Checker, FindsATinyPoke)
{
    for (const double depth : {1e-3, 1e-9, 1e-14, -1e-9, -1e-14}) {
        Blocks blocks;
        blocks.add({0, 0, 0});
        blocks.add({1.5, 0.113, 0.271}, 1);
        // The corner of the second that is nearest to the first, pulled into it.
        Index nearest = 27;
        for (Index i = 27; i < 35; ++i) {
            if (node(blocks.x, i).norm() < node(blocks.x, nearest).norm()) nearest = i;
        }
        node(blocks.x, nearest) = Vec3(0.5 - depth, 0.113, 0.271);
        EXPECT_EQ(blocks.judged().intersections > 0, depth > 0) << depth;
    }
}

TEST(Checker, FindsRingsThatCrossAndPassesRingsThatAreLinked)
{
    // Two flat frames, each of eight triangles. The second one passes through the hole of the first, or through its
    // rim.
    CheckedScene scene;
    for (Index ring = 0; ring < 2; ++ring) {
        for (Index k = 0; k < 4; ++k) {
            const Index a = 8 * ring + 2 * k, b = 8 * ring + 2 * ((k + 1) % 4);
            scene.triangles.push_back({a, a + 1, b});
            scene.triangles.push_back({b, a + 1, b + 1});
        }
    }
    auto frames = [](double shift) {
        Vector x(3 * 16);
        for (Index k = 0; k < 8; ++k) {
            const double r = k % 2 == 0 ? 1 : 1.2;
            const double angle = std::numbers::pi / 2 * (k / 2);
            node(x, k) = r * Vec3(std::cos(angle), std::sin(angle), 0);
            node(x, k + 8) = Vec3(shift + r * std::cos(angle + 0.7), 0.01, r * std::sin(angle + 0.7));
        }
        return x;
    };
    EXPECT_EQ(verdict(scene, frames(5)).intersections, 0);
    EXPECT_EQ(verdict(scene, frames(1)).intersections, 0);
    EXPECT_GT(verdict(scene, frames(0.35)).intersections, 0);
}

TEST(Checker, CountsEveryEdgeOnceForEachTriangle)
{
    CheckedScene scene; // two triangles with a common edge, which a third one's plane cuts
    scene.triangles = {{0, 1, 2}, {1, 0, 3}, {4, 5, 6}};
    Vector x(21);
    x << 0, 0, -1, 0, 0, 1, 1, 0.1, 3, 1, -0.1, 3, -5, -5, 0, 5, -5, 0, 0, 9, 0;
    EXPECT_EQ(verdict(scene, x).intersections, 3) << "0-1 and, on their way up, 0-2 and 0-3";
}

TEST(Checker, LeavesPairsOfIgnoredTrianglesAlone)
{
    Blocks blocks;
    blocks.add({0, 0, 0});
    blocks.add({0.8, 0.1, 0.2});
    blocks.scene.ignored.assign(blocks.scene.triangles.size(), 1);
    EXPECT_EQ(blocks.judged().intersections, 0);
    std::fill(blocks.scene.ignored.begin(), blocks.scene.ignored.begin() + 48, 0);
    EXPECT_GT(blocks.judged().intersections, 0);
}

TEST(Checker, FindsTetrahedraWithoutVolume)
{
    Blocks blocks;
    blocks.add({0, 0, 0}, 1);
    const auto tet = blocks.scene.tets[2];
    const Vec3 a = node(blocks.x, tet[0]), b = node(blocks.x, tet[1]), c = node(blocks.x, tet[2]);
    const Vec3 flat = (a + b + c) / 3;
    const Vec3 up = (b - a).cross(c - a).normalized();
    blocks.scene.tets = {tet};
    blocks.scene.triangles.clear();
    node(blocks.x, tet[3]) = flat + 1e-12 * up;
    EXPECT_EQ(blocks.judged().inversions, 0);
    node(blocks.x, tet[3]) = flat - 1e-12 * up;
    EXPECT_EQ(blocks.judged().inversions, 1);
    node(blocks.x, tet[3]) = b;
    EXPECT_EQ(blocks.judged().inversions, 1);
}

TEST(Checker, FindsNodesInHalfSpaces)
{
    Blocks blocks;
    blocks.add({0, 0.5 + 1e-12, 0});
    blocks.scene.half_spaces.push_back({{0, 0, 0}, {0, 1, 0}});
    EXPECT_EQ(blocks.judged().below, 0);
    for (Index i = 0; i < blocks.x.size() / 3; ++i) node(blocks.x, i)[1] -= 2e-12;
    EXPECT_EQ(blocks.judged().below, 9);
}

TEST(Checker, FindsTrianglesInSpheresAndCapsules)
{
    Blocks blocks;
    blocks.add({0, 0, 0}, 1);
    const Index n = static_cast<Index>(blocks.x.size() / 3);
    blocks.x.conservativeResize(blocks.x.size() + 6);
    node(blocks.x, n) = Vec3(0.1, 0.2, 2);
    node(blocks.x, n + 1) = Vec3(0.1, 0.3, -2);
    blocks.scene.rounds = {{n, n, 1.499}};
    EXPECT_EQ(blocks.judged().intersections, 0);
    blocks.scene.rounds = {{n, n, 1.501}};
    EXPECT_EQ(blocks.judged().intersections, 1);
    blocks.scene.rounds = {{n, n + 1, 1e-6}}; // a thin one through the block: no corner or edge is near it
    EXPECT_EQ(blocks.judged().intersections, 2);
    node(blocks.x, n) = Vec3(-2, 1.5, 0.51);
    node(blocks.x, n + 1) = Vec3(2, 1.6, 0.52);
    blocks.scene.rounds = {{n, n + 1, 1}};
    EXPECT_EQ(blocks.judged().intersections, 0);
    blocks.scene.rounds = {{n, n + 1, 1.1}};
    EXPECT_GT(blocks.judged().intersections, 0);
}

TEST(Checker, FindsABlockInsideAnother)
{
    for (const double place : {0.2, 0.61, 1.5}) { // inside, across the side, outside
        Blocks blocks;
        blocks.add({0, 0, 0}, 3);
        const std::size_t first = blocks.scene.triangles.size();
        blocks.add({place, 0.1, 0}, 1, 0.3);
        blocks.scene.shells = {{0, first, 0}, {first, blocks.scene.triangles.size() - first, 64}};
        const Verdict found = blocks.judged();
        if (place != 0.61) { // across the side its corner may be inside or not
            EXPECT_EQ(found.swallowed, place == 0.2 ? 1 : 0) << place;
        }
        EXPECT_EQ(found.intersections > 0, place == 0.61) << place;
        EXPECT_EQ(found.clean(), place == 1.5) << found.first;
    }
}

TEST(Checker, DoesNotPassWhatIsNowhere)
{
    Blocks blocks;
    blocks.add({0, 0, 0}, 1);
    blocks.x[4] = std::nan("");
    EXPECT_FALSE(blocks.judged().clean());
}

} // namespace
} // namespace rubato
