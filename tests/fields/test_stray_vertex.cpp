#include "fields/broken_surfaces.hpp"
#include "geometry/surface_check.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

TEST(StrayVertex, IsFoundFarOff)
{
    for (const double distance : {8.0, 10.0, 100.0, 1e6}) {
        TriangleMesh mesh = sphere_surface(0.5, 4);
        mesh.nodes[100] = Vec3(0, distance, 0);
        const auto refusal = not_a_solid(SurfaceField(mesh), surface_report(mesh));
        ASSERT_TRUE(refusal) << distance;
        EXPECT_EQ(refusal->find("one vertex, at [0, "), 0u) << *refusal;
    }
}

/// A cone about the y axis with its foot in the plane y = 0.
TriangleMesh cone(double height, int sides)
{
    TriangleMesh mesh;
    mesh.nodes = {Vec3(0, height, 0), Vec3(0, 0, 0)};
    for (int i = 0; i < sides; ++i) {
        const double angle = -2 * std::numbers::pi * i / sides;
        mesh.nodes.emplace_back(std::cos(angle), 0, std::sin(angle));
    }
    for (int i = 0; i < sides; ++i) {
        const Index a = 2 + i, b = 2 + (i + 1) % sides;
        mesh.triangles.insert(mesh.triangles.end(), {{0, a, b}, {1, b, a}});
    }
    return mesh;
}

TEST(StrayVertex, IsNeitherATipNorACorner)
{
    EXPECT_FALSE(stray_vertex(cone(1, 30)));
    EXPECT_FALSE(stray_vertex(cone(1000, 30))); // a needle as a whole
    EXPECT_FALSE(stray_vertex(sphere_surface(1, 4)));
    EXPECT_FALSE(stray_vertex(box_surface(Vec3(0, 0, 0), Vec3(1000, 1, 1))));
    // A fine ball beside the far corners of a large plate.
    EXPECT_FALSE(stray_vertex(together(sphere_surface(0.01, 4), box_surface(Vec3(1, 0, 0), Vec3(1001, 1000, 1)))));
    TriangleMesh horn = sphere_surface(1, 4); // it reaches as far as the ball is wide
    horn.nodes[100] *= 3;
    EXPECT_FALSE(stray_vertex(horn));
    EXPECT_FALSE(stray_vertex({}));
}

} // namespace
} // namespace rubato
