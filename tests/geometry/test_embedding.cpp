#include "base/random.hpp"
#include "geometry/bounds.hpp"
#include "geometry/embedding.hpp"
#include "geometry/generators.hpp"
#include "geometry/skin.hpp"
#include "geometry/transforms.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato {

namespace {

TetMesh askew_box() { return rotated(box_mesh({1, 0.6, 0.3}, {5, 4, 3}), {1, 2, 3}, 0.7); }

Vector stacked(const std::vector<Vec3>& nodes)
{
    Vector x(3 * static_cast<Eigen::Index>(nodes.size()));
    for (std::size_t i = 0; i < nodes.size(); ++i) node(x, static_cast<Index>(i)) = nodes[i];
    return x;
}

/// Points within `margin` of the box of the mesh, many of them outside of the mesh itself.
std::vector<Vec3> points_around(const TetMesh& mesh, double margin, int count)
{
    Random random(5);
    const Bounds box = bounds(mesh.nodes);
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        Vec3 p;
        for (int k = 0; k < 3; ++k) p[k] = random.uniform(box.low[k] - margin, box.high[k] + margin);
        points.push_back(p);
    }
    return points;
}

} // namespace

TEST(Embedding, PointsAtRestAreWhereTheyWere)
{
    const TetMesh mesh = askew_box();
    const std::vector<Vec3> points = points_around(mesh, 0.05, 500);
    std::vector<Vec3> found;
    positions(embedded(points, mesh), stacked(mesh.nodes), found);
    for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT((found[i] - points[i]).norm(), 1e-13);
}

TEST(Embedding, FollowsAnAffineMapExactlyInsideAndOutside)
{
    const TetMesh mesh = askew_box();
    const std::vector<Vec3> points = points_around(mesh, 0.2, 500);
    Mat3 A;
    A << 1.2, 0.3, -0.1, 0.2, 0.7, 0.5, -0.4, 0.1, 1.1;
    const Vec3 b(3, -2, 1);
    std::vector<Vec3> moved = mesh.nodes;
    for (Vec3& x : moved) x = A * x + b;
    std::vector<Vec3> found;
    positions(embedded(points, mesh), stacked(moved), found);
    for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT((found[i] - (A * points[i] + b)).norm(), 1e-12);
}

TEST(Embedding, APointInsideHasNoNegativeWeightAndItsTetrahedronHoldsIt)
{
    const TetMesh mesh = askew_box();
    const Mat3 back = rotation({1, 2, 3}, -0.7);
    int inside = 0;
    for (const Vec3& p : points_around(mesh, 0, 400)) {
        const Vec3 q = back * p;
        if ((q.cwiseAbs().array() > Vec3(0.4999, 0.2999, 0.1499).array()).any()) continue;
        ++inside;
        const Embedding one = embedded({p}, mesh);
        for (const double w : one.weights[0]) EXPECT_GE(w, -1e-9);
    }
    EXPECT_GT(inside, 50);
}

TEST(Embedding, APointOutsideRidesOnTheNearestPlaceOfTheBoundary)
{
    const TetMesh mesh = box_mesh({1, 1, 1}, {4, 4, 4});
    const Embedding one = embedded({Vec3(0.6, 0.1, 0.1)}, mesh);
    for (const Index i : one.nodes[0]) {
        const Vec3& x = mesh.nodes[static_cast<std::size_t>(i)];
        EXPECT_LT((x - Vec3(0.5, 0.1, 0.1)).norm(), 0.5) << x.transpose();
    }
}

TEST(Embedding, SurvivesAMeshThatIsThinAndFarFromTheOrigin)
{
    const TetMesh mesh = translated(box_mesh({2, 1e-3, 1}, {8, 1, 4}), {1e3, 0, 0});
    const std::vector<Vec3> points = points_around(mesh, 1e-4, 100);
    std::vector<Vec3> found;
    positions(embedded(points, mesh), stacked(mesh.nodes), found);
    for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT((found[i] - points[i]).norm(), 1e-9);
}

TEST(Skin, TheBoundaryIsThatOfTheTetrahedraWhereverTheNodesAre)
{
    const TetMesh mesh = box_mesh({1, 1, 1}, {3, 3, 3});
    const Skin skin = boundary_skin(mesh);
    EXPECT_EQ(skin.surface.polygon_count(), boundary_triangles(mesh.tets).size());
    Vector x = stacked(mesh.nodes);
    x.array() += 0.25;
    std::vector<Vec3> points;
    positions(skin.points, x, points);
    ASSERT_EQ(points.size(), skin.surface.vertices.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(points[i], skin.surface.vertices[i] + Vec3::Constant(0.25)); // nodes, so to the last bit
    }
}

TEST(Skin, BodiesKeepTheirVerticesTextureAndNames)
{
    const TetMesh mesh = box_mesh({1, 1, 1}, {1, 1, 1});
    Surface own;
    own.vertices = {{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.1, 0}, {0, 0.1, 0}, {0, 0, 0.2}};
    own.corners = {0, 1, 2, 3, 0, 1, 4};
    own.polygons = {0, 4, 7};
    own.texture = {{0, 0}, {1, 0}, {1, 1}};
    own.corner_texture = {0, 1, 2, -1, 0, 1, 2};
    own.parts = {{0, "", "front", "red"}, {1, "hat", "", ""}};

    Skin all;
    append(all, boundary_skin(mesh), 0, {"box"});
    append(all, embedded_skin(own, mesh), 8, {.name = "face-1", .one_of_several = true});
    append(all, embedded_skin(own, mesh), 16, {.name = "face-2", .one_of_several = true});

    EXPECT_TRUE(all.embedded);
    ASSERT_EQ(all.surface.vertices.size(), 8u + 5 + 5);
    ASSERT_EQ(all.surface.polygon_count(), 12u + 2 + 2);
    EXPECT_EQ(all.surface.corners[36], 8);
    EXPECT_EQ(all.surface.corner_texture[35], -1); // the box has no texture
    EXPECT_EQ(all.surface.corner_texture[36 + 2], 2);
    EXPECT_EQ(all.surface.corner_texture[36 + 3], -1);
    EXPECT_EQ(all.surface.corner_texture[36 + 7 + 2], 3 + 2);
    ASSERT_EQ(all.surface.parts.size(), 5u);
    EXPECT_EQ(all.surface.parts[0].object, "box");
    EXPECT_EQ(all.surface.parts[1].object, "face-1");
    EXPECT_EQ(all.surface.parts[1].group, "front");
    EXPECT_EQ(all.surface.parts[1].material, "red");
    EXPECT_EQ(all.surface.parts[2].object, "face-1.hat");
    EXPECT_EQ(all.surface.parts[4].first_polygon, 15);
    for (const Tet& nodes : std::vector<Tet>(all.points.nodes.begin() + 13, all.points.nodes.end())) {
        for (const Index i : nodes) EXPECT_TRUE(i >= 16 && i < 24);
    }
}

} // namespace rubato
