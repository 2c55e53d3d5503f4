#include "contact/barrier.hpp"
#include "contact/barrier_function.hpp"
#include "contact/flat_faces.hpp"
#include "contact/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace rubato {
namespace {

constexpr double floor_kappa = 300, floor_dhat = 0.1; // [N/m], [m]

/// A floor of n x n cells of 1 m, in the plane y = 0, whose inner nodes are moved about in it. A cell where `keep` says
/// no is left out.
template <class Keep>
TriangleMesh floor_where(int n, double moved, const Keep& keep)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-moved, moved);
    TriangleMesh mesh;
    const auto at = [&](int i, int j) { return static_cast<Index>((n + 1) * j + i); };
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            const bool inner = i > 0 && j > 0 && i < n && j < n;
            mesh.nodes.emplace_back(i + (inner ? number(random) : 0), 0, j + (inner ? number(random) : 0));
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            if (!keep(i, j)) continue;
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    }
    return mesh;
}

TriangleMesh floor_of(int n, double moved)
{
    return floor_where(n, moved, [](int, int) { return true; });
}

Vector stacked(const TriangleMesh& mesh)
{
    Vector x(3 * static_cast<Eigen::Index>(mesh.nodes.size()));
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) node(x, static_cast<Index>(i)) = mesh.nodes[i];
    return x;
}

long polygons(const TriangleMesh& mesh)
{
    const std::vector<Index> number = flat_faces(mesh.triangles, stacked(mesh));
    std::set<Index> all(number.begin(), number.end());
    all.erase(-1);
    return static_cast<long>(all.size());
}

/// A lone point above a floor, and what the barrier does to it.
struct PointOnFloor {
    test::SceneOfParts parts;
    Index point = 0;
    std::unique_ptr<Barrier> barrier;
    std::shared_ptr<ContactSet> contacts;

    explicit PointOnFloor(const TriangleMesh& floor, bool joined)
    {
        const Index part = parts.add_mesh(floor, Vec3::Zero(), {.name = "floor", .kinematic = true});
        if (joined) parts.surface.join_flat_faces(part, parts.X);
        point = parts.add_nodes({Vec3::Zero()});
        parts.surface.add_point(parts.surface.add_part({.name = "point"}), point);
        contacts = std::make_shared<ContactSet>(
            parts.surface, PairRules(2, {.touch = true, .friction = 0}), floor_dhat, parts.X);
        barrier = std::make_unique<Barrier>(contacts, floor_kappa);
    }
    Vec3 force(const Vec3& at)
    {
        node(parts.X, point) = at;
        Vector g = Vector::Zero(parts.X.size());
        Assembly sink{.gradient = &g};
        barrier->add(parts.X, 0, sink);
        return -node(g, point);
    }
};

struct Aside {
    double ratio = 0; ///< of the force along the floor to that across, at most
    double least = HUGE_VAL, most = 0; ///< force across, in units of that far from all edges
};

/// What a point at depth y dhat feels on its way across a floor of 4 x 4 cells.
Aside aside(PointOnFloor& scene, double y)
{
    Aside found;
    const double alone
        = scene.force(Vec3(1.5, y * floor_dhat, 1.2)).y(); // more than dhat from all edges of a regular floor
    for (int k = 0; k <= 2000; ++k) { // along a line that meets edges of all directions, and a node
        const double s = 1 + 2.0 * k / 2000;
        for (const Vec3& at : {Vec3(s, y * floor_dhat, 0.5 + 0.75 * s), Vec3(s, y * floor_dhat, 2)}) {
            const Vec3 f = scene.force(at);
            found.ratio = std::max(found.ratio, std::hypot(f.x(), f.z()) / f.y());
            found.least = std::min(found.least, f.y() / alone);
            found.most = std::max(found.most, f.y() / alone);
        }
    }
    return found;
}

TEST(FlatFaces, AFloorIsOneAndABoxHasSix)
{
    EXPECT_EQ(polygons(floor_of(4, 0)), 1);
    EXPECT_EQ(polygons(floor_of(6, 0.3)), 1);
    const TetMesh box = box_mesh(Vec3(1, 2, 3), {2, 3, 4});
    EXPECT_EQ(polygons({box.nodes, boundary_triangles(box.tets)}), 6);
    EXPECT_EQ(polygons(test::ball(6)), 0) << "no two triangles of it are coplanar and convex together";
}

TEST(FlatFaces, AreConvex)
{
    EXPECT_EQ(polygons(floor_where(4, 0, [](int i, int j) { return i != 1 || j != 1; })), 0) << "a hole";
    EXPECT_EQ(polygons(floor_where(4, 0, [](int i, int j) { return i < 2 || j < 2; })), 0) << "an inward corner";
    EXPECT_EQ(polygons(floor_where(4, 0, [](int i, int) { return i != 1; })), 2) << "two pieces";
}

TEST(FlatFaces, DoNotOverlap)
{
    // Two triangles on the same side of their common edge: they fill their convex hull, and a part of it twice.
    TriangleMesh fold;
    fold.nodes = {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(1, 0, 0)};
    fold.triangles = {{0, 1, 2}, {0, 1, 3}};
    EXPECT_EQ(polygons(fold), 0);
    fold.triangles = {{0, 1, 2}, {0, 2, 3}};
    EXPECT_EQ(polygons(fold), 1) << "side by side";
}

TEST(FlatFaces, OfSeveralObstaclesAreApart)
{
    test::SceneOfParts parts;
    for (const double height : {0.0, 1.0, 2.0}) {
        const Index part = parts.add_mesh(floor_of(2, 0), Vec3(0, height, 0), {.name = "floor", .kinematic = true});
        if (height != 1) parts.surface.join_flat_faces(part, parts.X);
    }
    std::map<Index, long> pieces;
    for (const Index number : parts.surface.flat_face) ++pieces[number];
    ASSERT_EQ(pieces.size(), 3U);
    for (const auto& [number, count] : pieces) EXPECT_EQ(count, 8) << number;
    EXPECT_EQ(pieces.count(-1), 1U) << "the floor in the middle was not joined";
}

TEST(FlatFaces, OfAMeshThatBendsAreNotJoined)
{
    for (const Index number : flat_faces({{0, 1, 2}, {0, 2, 3}}, [] {
             Vector x(12);
             x << 0, 0, 0, 1, 0, 0, 1, 1, 1e-3, 0, 1, 0;
             return x;
         }())) {
        EXPECT_EQ(number, -1);
    }
}

TEST(FlatFaces, PushAPointStraightOffWhereverTheirEdgesRun)
{
    for (const double moved : {0.0, 0.3}) {
        PointOnFloor scene(floor_of(4, moved), true);
        for (const double y : {0.9, 0.5, 0.1, 0.01}) {
            const Aside found = aside(scene, y);
            EXPECT_LT(found.ratio, 1e-10) << y;
            EXPECT_NEAR(found.least, 1, 1e-10) << y;
            EXPECT_NEAR(found.most, 1, 1e-10) << y;
        }
    }
}

/// What joining spares: the worst places of the whole floor, edges and nodes together.
TEST(FlatFaces, TrianglesThatAreNotJoinedPushAside)
{
    PointOnFloor scene(floor_of(4, 0), false);
    EXPECT_NEAR(aside(scene, 0.5).ratio, 0.30, 0.02);
    EXPECT_NEAR(aside(scene, 0.1).ratio, 0.52, 0.03);
    EXPECT_NEAR(aside(scene, 0.1).most, 6, 0.1); // over a node of six triangles
}

TEST(FlatFaces, HaveTheDerivativesOfTheirEnergy)
{
    PointOnFloor scene(floor_of(4, 0.3), true);
    const auto energy = [&](const Vec3& at) {
        node(scene.parts.X, scene.point) = at;
        double value = 0;
        Assembly sink{.value = &value};
        scene.barrier->add(scene.parts.X, 0, sink);
        return value;
    };
    std::mt19937 random(1);
    std::uniform_real_distribution<double> place(-0.05, 4.05), height(0.02, 0.1); // also beyond the rim
    for (int k = 0; k < 2000; ++k) {
        const Vec3 at(place(random), height(random), place(random));
        const Vec3 f = scene.force(at);
        for (int c = 0; c < 3; ++c) {
            const Vec3 e = 1e-6 * Vec3::Unit(c);
            EXPECT_NEAR(-(energy(at + e) - energy(at - e)) / 2e-6, f[c], 1e-4 * (1 + f.norm()));
        }
    }
}

} // namespace
} // namespace rubato
